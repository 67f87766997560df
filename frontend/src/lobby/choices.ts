// What a player last chose, and the forms that ask for it.

import type { Options } from '../api';
import { unlimited } from '../clock';
import { h, show } from '../dom';
import type { Color, Game, RuleName, TimeControl } from '../protocol';
import { load, save } from '../storage';
import { words } from '../text';
import { choiceField, numberField, type Choice } from '../ui/fields';

export interface Choices {
  rule: RuleName;
  size: string;
  clock: TimeControl;
  forbidden: 'loses' | 'refused';
  color: Color | 'random';
  bot: string;
}

const defaults: Choices = {
  rule: 'freestyle',
  size: '15x15',
  clock: { main: 300_000, increment: 3_000 },
  forbidden: 'loses',
  color: 'random',
  bot: '',
};

/** Each way to start remembers its own choices. */
export type Way = 'now' | 'friend' | 'computer';

export function loadChoices(way: Way): Choices {
  const own: Choices = way === 'computer' ? { ...defaults, clock: {}, color: 'black' } : defaults;
  return load(`gomokud.choices.${way}`, own);
}

export function saveChoices(way: Way, choices: Choices): void {
  save(`gomokud.choices.${way}`, choices);
}

export function gameOf({ rule, size, clock, forbidden }: Choices): Game {
  return rule === 'renju' ? { rule, size, clock, forbidden } : { rule, size, clock };
}

export function describeGame(game: Pick<Game, 'rule' | 'size' | 'clock'>): string {
  return `${words.rules[game.rule].title} · ${game.size.replace('x', ' × ')} · ${words.clock.describe(game.clock)}`;
}

export function ruleField(options: Options, choices: Choices): HTMLElement {
  const forbidden = choiceField(
    words.lobby.forbidden,
    [
      { value: 'loses', label: words.lobby.forbiddenLoses },
      { value: 'refused', label: words.lobby.forbiddenRefused },
    ],
    choices.forbidden,
    (value) => (choices.forbidden = value),
  );
  const known = options.rules.filter((rule) => rule.name in words.rules);
  const rules = known.map(({ name }): Choice<RuleName> => ({ value: name as RuleName, label: words.rules[name as RuleName].title, about: words.rules[name as RuleName].about }));
  const field = choiceField(words.lobby.rule, rules, choices.rule, (rule) => {
    choices.rule = rule;
    show(forbidden, rule === 'renju');
  });
  field.classList.add('wide');
  show(forbidden, choices.rule === 'renju');
  return h('div', { class: 'stack' }, field, forbidden);
}

export function sizeField(options: Options, choices: Choices): HTMLElement {
  const preset = options.sizes.includes(choices.size);
  const [width = 15, height = 15] = choices.size.split('x').map(Number);
  let [w, hgt] = [width, height];
  const bounds = { min: options.min_side, max: options.max_side };
  const set = (): void => void (choices.size = `${w}x${hgt}`);
  const other = h(
    'div',
    { class: 'field-row' },
    numberField(words.lobby.width, w, bounds, (value) => { w = value; set(); }),
    numberField(words.lobby.height, hgt, bounds, (value) => { hgt = value; set(); }),
  );
  show(other, !preset);
  const sizes: Choice<string>[] = options.sizes.map((size) => ({ value: size, label: size.replace('x', ' × ') }));
  const field = choiceField(words.lobby.board, [...sizes, { value: '', label: words.lobby.otherSize }], preset ? choices.size : '', (size) => {
    show(other, size === '');
    if (size === '') set();
    else choices.size = size;
  });
  return h('div', { class: 'stack' }, field, other);
}

const same = (a: TimeControl, b: TimeControl): boolean =>
  (['main', 'increment', 'period', 'periods'] as const).every((key) => (a[key] ?? 0) === (b[key] ?? 0));

export function clockField(options: Options, choices: Choices): HTMLElement {
  const preset = options.clocks.find(({ clock }) => same(clock, choices.clock));
  const custom = customClock(choices);
  show(custom, !preset);
  const clocks: Choice<string>[] = options.clocks.map(({ name, clock }) => ({ value: name, label: words.clock.describe(clock) }));
  const field = choiceField(words.lobby.time, [...clocks, { value: '', label: words.clock.custom }], preset?.name ?? '', (name) => {
    const chosen = options.clocks.find((one) => one.name === name);
    show(custom, !chosen);
    if (chosen) choices.clock = chosen.clock;
    else custom.dispatchEvent(new Event('choose'));
  });
  return h('div', { class: 'stack' }, field, custom);
}

type Kind = 'fischer' | 'byoyomi' | 'perMove';

function customClock(choices: Choices): HTMLElement {
  const { main = 300_000, increment = 0, period = 30_000, periods = 3 } = unlimited(choices.clock) ? {} : choices.clock;
  const value = { minutes: main / 60_000 || 5, increment: increment / 1000, period: period / 1000, periods };
  let kind: Kind = 'fischer';
  if (choices.clock.periods) kind = choices.clock.main ? 'byoyomi' : 'perMove';
  const set = (): void => {
    const ms = { main: Math.round(value.minutes * 60_000), period: Math.round(value.period * 1000), increment: Math.round(value.increment * 1000) };
    if (kind === 'fischer') choices.clock = { main: ms.main, ...(ms.increment > 0 && { increment: ms.increment }) };
    else if (kind === 'byoyomi') choices.clock = { main: ms.main, period: ms.period, periods: value.periods };
    else choices.clock = { period: ms.period, periods: 1 };
  };
  const number = (key: keyof typeof value, label: string, bounds: { min: number; max: number; step?: number }): HTMLElement =>
    numberField(label, value[key], bounds, (n) => { value[key] = n; set(); });
  const minutes = number('minutes', words.clock.minutes, { min: 0.25, max: 600, step: 0.25 });
  const added = number('increment', words.clock.increment, { min: 0, max: 300 });
  const each = number('period', words.clock.period, { min: 1, max: 3600 });
  const count = number('periods', words.clock.periods, { min: 1, max: 100 });
  const fit = (): void => {
    show(minutes, kind !== 'perMove');
    show(added, kind === 'fischer');
    show(each, kind !== 'fischer');
    show(count, kind === 'byoyomi');
  };
  const kinds: Choice<Kind>[] = [
    { value: 'fischer', label: words.clock.fischer },
    { value: 'byoyomi', label: words.clock.byoyomi },
    { value: 'perMove', label: words.clock.perMove },
  ];
  const field = choiceField(words.clock.kind, kinds, kind, (chosen) => { kind = chosen; fit(); set(); });
  fit();
  const node = h('div', { class: 'stack custom' }, field, h('div', { class: 'field-row' }, minutes, added, each, count));
  node.addEventListener('choose', set);
  return node;
}
