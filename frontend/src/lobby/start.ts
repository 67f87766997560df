// The three ways to start a game, each with its dialog.

import { getOptions, type Options } from '../api';
import type { App } from '../app';
import { h, setText } from '../dom';
import { toast } from '../speech';
import { words } from '../text';
import { openDialog, type Dialog } from '../ui/dialog';
import { choiceField } from '../ui/fields';
import { clockField, gameOf, loadChoices, ruleField, saveChoices, sizeField, type Choices, type Way } from './choices';

type Start = (choices: Choices) => Promise<string | null>;

/** Opens the dialog of one way to start. */
export async function openStart(app: App, way: Way): Promise<void> {
  const options = await getOptions();
  if (!options.ok) return toast(words.lobby.noOptions);
  const choices = loadChoices(way);
  if (way === 'now') {
    form(words.lobby.playNow, words.lobby.start, choices, way, commonFields(options.value, choices), (chosen) => app.seek.start(gameOf(chosen)));
  } else if (way === 'friend') {
    const color = choiceField(
      words.lobby.color,
      [
        { value: 'random', label: words.lobby.random },
        { value: 'black', label: words.black },
        { value: 'white', label: words.white },
      ],
      choices.color,
      (value) => (choices.color = value),
    );
    form(words.lobby.friend, words.lobby.create, choices, way, [...commonFields(options.value, choices), color], (chosen) => create(app, chosen));
  } else {
    const fields = [...botFields(options.value, choices), ...commonFields(options.value, choices)];
    form(words.lobby.computer, words.lobby.startBot, choices, way, fields, (chosen) => create(app, chosen, chosen.bot));
  }
}

function commonFields(options: Options, choices: Choices): HTMLElement[] {
  return [ruleField(options, choices), sizeField(options, choices), clockField(options, choices)];
}

function botFields(options: Options, choices: Choices): HTMLElement[] {
  if (!options.bots.some(({ name }) => name === choices.bot)) choices.bot = options.bots[0]?.name ?? '';
  const bots = options.bots.map(({ name, title, about }) => {
    const own = words.bots[name];
    return { value: name, label: own?.title ?? title, about: own?.about ?? about };
  });
  return [
    choiceField(words.lobby.opponent, bots, choices.bot, (bot) => (choices.bot = bot), 'list'),
    choiceField(
      words.lobby.first,
      [
        { value: 'black', label: words.lobby.iBegin },
        { value: 'white', label: words.lobby.itBegins },
        { value: 'random', label: words.lobby.random },
      ],
      choices.color,
      (value) => (choices.color = value),
    ),
  ];
}

async function create(app: App, choices: Choices, bot?: string): Promise<string | null> {
  const answer = await app.socket.send({ type: 'create', game: gameOf(choices), color: choices.color, ...(bot && { bot }) });
  if (!answer.ok) return answer.text;
  if (answer.room !== undefined) app.router.go(`/room/${answer.room}`);
  return null;
}

function form(heading: string, submitLabel: string, choices: Choices, way: Way, fields: HTMLElement[], start: Start): void {
  const problem = h('p', { class: 'problem', role: 'alert' });
  const submit = h('button', { class: 'button primary large', type: 'submit' }, submitLabel);
  let dialog: Dialog | null = null;
  const run = async (): Promise<void> => {
    submit.disabled = true;
    setText(problem, '');
    saveChoices(way, choices);
    const failure = await start({ ...choices });
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
    ...fields,
    problem,
    h('div', { class: 'form-end' }, submit),
  );
  dialog = openDialog(heading, node);
}
