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
