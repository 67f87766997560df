// The player's buttons, what is offered, and who is away.

import { spanText } from '../clock';
import { h, setAttribute, setText, show } from '../dom';
import type { What } from '../protocol';
import { words } from '../text';
import { absenceOf, actionsOf, creditWords, offersOf, type ActionName, type Offer, type TableState } from './model';

export interface Asked {
  act(name: ActionName): void;
  answer(what: What, yes: boolean): void;
  resigning(asked: boolean): void;
}

export interface Actions {
  buttons: HTMLElement;
  notices: HTMLElement;
  update(state: TableState): void;
  tick(state: TableState, now: number): void;
}

export function createActions(asked: Asked): Actions {
  const buttons = h('div', { class: 'actions', role: 'group', 'aria-label': words.room.actions });
  const offers = h('div', { class: 'offers' });
  const awayText = h('span', {});
  const claim = h('button', { class: 'button small', type: 'button', onclick: () => asked.act('claim') }, words.room.claim);
  const away = h('div', { class: 'notice away', hidden: true }, awayText, claim);
  const credit = h('div', { class: 'notice', hidden: true });
  const notices = h('div', { class: 'notices', 'aria-live': 'polite' }, offers, credit);
  // Its seconds tick: read out, they would never end.
  const quiet = h('div', { class: 'notices-wrap' }, notices, away);
  let buttonsKey = '';
  let offersKey = '';

  function button(name: ActionName, label: string, enabled: boolean): HTMLElement {
    const act = (): void => (name === 'resign' ? asked.resigning(true) : asked.act(name));
    const kind = name === 'rematch' ? 'button primary' : `button action-${name}`;
    const title = { takeback: words.room.takebackHint, draw: words.room.drawHint }[name as string] ?? null;
    return h('button', { class: kind, type: 'button', title, disabled: !enabled, onclick: act }, label);
  }

  /** The first of the two stands where "resign" did not, so that a double click does not resign. */
  function resignQuestion(): HTMLElement[] {
    const no = h('button', { class: 'button action-resign', type: 'button', onclick: () => asked.resigning(false) }, words.room.resignNo);
    const yes = h('button', { class: 'button danger', type: 'button', onclick: () => asked.act('resign') }, words.room.resignYes);
    return [h('span', { class: 'question', role: 'alert' }, words.room.resignSure), yes, no];
  }

  function drawButtons(state: TableState): void {
    const actions = actionsOf(state);
    const asking = state.resigning && actions.some(({ name }) => name === 'resign');
    const key = asking ? 'resigning' : actions.map(({ name, label, enabled }) => `${name}${label}${enabled}`).join();
    if (key === buttonsKey) return;
    buttonsKey = key;
    const focused = buttons.contains(document.activeElement);
    buttons.replaceChildren(...(asking ? resignQuestion() : actions.map(({ name, label, enabled }) => button(name, label, enabled))));
    if (focused) buttons.querySelector<HTMLElement>('button.action-resign, button:not(:disabled)')?.focus();
  }

  function offerNode({ what, mine, text }: Offer): HTMLElement {
    const answer = (label: string, yes: boolean, kind: string): HTMLElement =>
      h('button', { class: `button small ${kind}`, type: 'button', onclick: () => asked.answer(what, yes) }, label);
    const answers = mine
      ? [answer(words.room.withdraw, false, '')]
      : [answer(words.room.accept, true, 'primary'), answer(words.room.decline, false, '')];
    return h('div', { class: `notice offer-${what}` }, h('span', {}, text), ...answers);
  }

  return {
    buttons,
    notices: quiet,
    update(state) {
      drawButtons(state);
      const open = offersOf(state);
      const key = open.map(({ what, mine }) => `${what}${mine}`).join();
      if (key !== offersKey) {
        offersKey = key;
        offers.replaceChildren(...open.map(offerNode));
      }
      const { room } = state;
      const gift = room?.phase === 'playing' ? room.credited : null;
      show(credit, gift !== null);
      if (gift && room) setText(credit, creditWords(room, state.me, gift));
    },
    tick(state, now) {
      const absence = absenceOf(state);
      show(away, absence !== null);
      if (!absence) return;
      const gone = words.room.awayFor(absence.name, spanText(now - absence.since));
      const left = absence.claimAt === null ? null : absence.claimAt - now;
      const parts = [gone];
      if (left !== null && left > 0) parts.push((absence.early ? words.room.endIn : words.room.claimIn)(spanText(left + 999)));
      else if (absence.myTurn) parts.push(words.room.claimNotNow);
      setText(awayText, `${parts.join('; ')}.`);
      const ready = left !== null && left <= 0;
      show(claim, ready);
      setText(claim, absence.early ? words.room.endGame : words.room.claim);
      setAttribute(claim, 'disabled', state.busy.has('claim') ? '' : null);
    },
  };
}
