// Where the parts of a table stand. Their order here is the order of reading; how
// they lie on wide and narrow screens is the stylesheet's matter.

import { h } from '../dom';

export interface TableParts {
  board: HTMLElement;
  top: HTMLElement;
  bottom: HTMLElement;
  info: HTMLElement;
  status: HTMLElement;
  line: HTMLElement;
  notices: HTMLElement;
  buttons: HTMLElement;
  moves: HTMLElement;
  share: HTMLElement;
  invite: HTMLElement;
}

export function layTable(parts: Partial<TableParts> & { board: HTMLElement }): HTMLElement {
  const area = (name: keyof TableParts): HTMLElement | null => {
    const part = parts[name];
    return part ? h('div', { class: `area-${name}` }, part) : null;
  };
  return h(
    'div',
    { class: 'table' },
    area('info'),
    area('top'),
    area('board'),
    area('bottom'),
    h('div', { class: 'side' }, area('invite'), area('line'), area('status'), area('notices'), area('buttons'), area('moves'), area('share')),
  );
}
