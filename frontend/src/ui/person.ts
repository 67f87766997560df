// Who one is here: the name, and the link that takes it to another device.

import { linkDevice, rename } from '../api';
import type { App } from '../app';
import { h, setText } from '../dom';
import { toast } from '../speech';
import { words } from '../text';
import { openDialog } from './dialog';
import { linkField } from './copy';

/** `renamed` is called when the session has another name, and so another cookie. */
export function openPerson(app: App, renamed: () => void): void {
  const problem = h('p', { class: 'problem', role: 'alert' });
  const field = h('input', {
    type: 'text',
    value: app.me.get()?.name ?? '',
    minlength: 2,
    maxlength: 20,
    required: true,
    autocomplete: 'nickname',
    'aria-describedby': 'name-hint',
  });
  const submit = async (): Promise<void> => {
    const answer = await rename(field.value);
    if (!answer.ok) return setText(problem, answer.text || words.failed);
    app.me.set(answer.value);
    renamed();
    toast(words.person.saved(answer.value.name));
    dialog.close();
  };
  const form = h(
    'form',
    {
      class: 'stack',
      onsubmit: (event) => {
        event.preventDefault();
        void submit();
      },
    },
    h('label', { class: 'field' }, h('span', {}, words.person.label), field),
    h('p', { id: 'name-hint', class: 'muted' }, words.person.hint),
    problem,
    h('button', { class: 'button primary', type: 'submit' }, words.person.save),
  );
  const device = h('section', { class: 'stack' }, h('h3', {}, words.person.device), h('p', { class: 'muted' }, words.person.deviceAbout));
  const make = h('button', { class: 'button', type: 'button', onclick: () => void showLink() }, words.person.deviceButton);
  device.append(make);
  const showLink = async (): Promise<void> => {
    const answer = await linkDevice();
    if (!answer.ok) return toast(answer.text || words.failed);
    make.replaceWith(
      linkField(words.person.device, new URL(answer.value.url, location.origin).href),
      h('p', { class: 'muted' }, words.person.keepPrivate),
    );
  };
  const dialog = openDialog(words.person.heading, form, device);
}
