import { h } from '../dom';
import { toast } from '../speech';
import { words } from '../text';

/** Puts text on the clipboard and says so. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyByHand(text); // plain http to another machine: no clipboard interface
  }
  toast(words.copied);
}

function copyByHand(text: string): void {
  const field = h('textarea', { class: 'unseen' }, text);
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** A link to show, with a button that copies it and, where there is one, the device's way to share. */
export function linkField(label: string, url: string): HTMLElement {
  const field = h('input', { class: 'link-field', type: 'text', readonly: true, value: url, 'aria-label': label, onfocus: () => field.select() });
  const buttons = [h('button', { class: 'button primary', type: 'button', onclick: () => void copy(url) }, words.copy)];
  if (typeof navigator.share === 'function' && matchMedia('(pointer: coarse)').matches) {
    const share = (): void => void navigator.share({ title: words.site, url }).catch(() => {}); // dismissed
    buttons.push(h('button', { class: 'button', type: 'button', onclick: share }, words.share));
  }
  return h('div', { class: 'link-row' }, field, ...buttons);
}
