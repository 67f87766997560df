import { h } from '../dom';
import { words } from '../text';

export interface Dialog {
  node: HTMLDialogElement;
  close(): void;
}

/** Opens a modal dialog; it leaves the document when it is closed. */
export function openDialog(heading: string, ...content: (HTMLElement | null)[]): Dialog {
  const title = h('h2', { id: 'dialog-title' }, heading);
  const close = h('button', { class: 'button icon close', type: 'button', 'aria-label': words.close, onclick: () => node.close() }, '×');
  const node = h('dialog', { class: 'dialog', 'aria-labelledby': 'dialog-title' }, h('header', {}, title, close), ...content);
  node.addEventListener('close', () => node.remove());
  node.addEventListener('click', (event) => {
    if (event.target === node) node.close(); // outside of its box
  });
  document.body.append(node);
  node.showModal();
  return { node, close: () => node.close() };
}
