// The three ways to start a game, each with its dialog.

import { getOptions, type Options } from '../api';
import type { App } from '../app';
import { h, setText } from '../dom';
import type { Color } from '../protocol';
import { toast } from '../speech';
import { words } from '../text';
import { openDialog, type Dialog } from '../ui/dialog';
import { choiceField, type Choice } from '../ui/fields';
import { clockField, gameOf, loadChoices, ruleField, saveChoices, sizeField, type Choices, type Way } from './choices';

/** Opens the dialog of one way to start; `onChosen` is told when its choices are stored. */
export async function openStart(app: App, way: Way, onChosen: () => void): Promise<void> {
  const options = await getOptions();
  if (!options.ok) return toast(words.lobby.noOptions);
  const choices = loadChoices(way);
  const save = (chosen: Choices): void => {
    saveChoices(way, chosen);
    onChosen();
  };
  openForm({ ...forms[way](app, options.value, choices), save }, choices);
}

const forms: Record<Way, (app: App, options: Options, choices: Choices) => Omit<Form, 'save'>> = {
  now: (app, options, choices) => ({
    heading: words.lobby.playNow,
    submit: words.lobby.start,
    fields: commonFields(options, choices),
    start: (chosen) => app.seek.start(gameOf(chosen)),
  }),
  friend: (app, options, choices) => ({
    heading: words.lobby.friend,
    submit: words.lobby.create,
    fields: [...commonFields(options, choices), colorField(words.lobby.color, [words.black, words.white], choices)],
    start: (chosen) => create(app, chosen),
  }),
  computer: (app, options, choices) => ({
    heading: words.lobby.computer,
    submit: words.lobby.startBot,
    fields: [
      botField(options, choices),
      colorField(words.lobby.first, [words.lobby.iBegin, words.lobby.itBegins], choices),
      ...commonFields(options, choices),
    ],
    start: (chosen) => create(app, chosen, chosen.bot),
  }),
};

function commonFields(options: Options, choices: Choices): HTMLElement[] {
  return [ruleField(options, choices), sizeField(options, choices), clockField(options, choices)];
}

function botField(options: Options, choices: Choices): HTMLElement {
  if (!options.bots.some(({ name }) => name === choices.bot)) choices.bot = options.bots[0]?.name ?? '';
  const bots = options.bots.map(({ name, title, about }) => {
    const own = words.bots[name];
    return { value: name, label: own?.title ?? title, about: own?.about ?? about };
  });
  return choiceField(words.lobby.opponent, bots, choices.bot, (bot) => (choices.bot = bot), 'list');
}

function colorField(legend: string, [black, white]: [string, string], choices: Choices): HTMLElement {
  const colors: Choice<Color | 'random'>[] = [
    { value: 'black', label: black },
    { value: 'white', label: white },
    { value: 'random', label: words.lobby.random },
  ];
  return choiceField(legend, colors, choices.color, (color) => (choices.color = color));
}

async function create(app: App, choices: Choices, bot?: string): Promise<string | null> {
  const answer = await app.socket.send({ type: 'create', game: gameOf(choices), color: choices.color, ...(bot && { bot }) });
  if (!answer.ok) return answer.text;
  if (answer.room !== undefined) app.router.go(`/room/${answer.room}`);
  return null;
}

interface Form {
  heading: string;
  submit: string;
  fields: HTMLElement[];
  save(choices: Choices): void;
  start(choices: Choices): Promise<string | null>; // what went wrong, if anything
}

function openForm(form: Form, choices: Choices): void {
  const problem = h('p', { class: 'problem', role: 'alert' });
  const submit = h('button', { class: 'button primary large', type: 'submit' }, form.submit);
  let dialog: Dialog | null = null;
  const run = async (): Promise<void> => {
    submit.disabled = true;
    setText(problem, '');
    form.save(choices);
    const failure = await form.start({ ...choices });
    submit.disabled = false;
    if (failure !== null) setText(problem, failure || words.failed);
    else dialog?.close();
  };
  const node = h(
    'form',
    {
      class: 'stack start-form',
      onsubmit: (event) => {
        event.preventDefault();
        void run();
      },
    },
    ...form.fields,
    problem,
    h('div', { class: 'form-end' }, submit),
  );
  dialog = openDialog(form.heading, node);
}
