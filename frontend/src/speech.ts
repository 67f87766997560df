// Short words to the player: spoken by a screen reader, or shown for a moment.

import { h } from './dom';

const region = h('div', { class: 'unseen', role: 'log', 'aria-live': 'polite', 'aria-relevant': 'additions' });
const toasts = h('div', { class: 'toasts', role: 'status' });

export function mountSpeech(): void {
  document.body.append(region, toasts);
}

/** Lets a screen reader say it when it has finished what it says. */
export function speak(text: string): void {
  if (text === '') return;
  region.append(h('p', {}, text));
  while (region.childElementCount > 4) region.firstElementChild?.remove();
}

/** Shows it for a few seconds, and a screen reader says it. */
export function toast(text: string): void {
  const node = h('p', { class: 'toast' }, text);
  toasts.append(node);
  setTimeout(() => node.remove(), 5000);
}
