import { h } from '../dom';
import { changeSettings, settings, type Settings } from '../settings';
import { play } from '../sound';
import { words } from '../text';
import { openDialog } from './dialog';
import { checkField, choiceField } from './fields';

/** Every change holds at once: there is nothing to save or to lose. */
export function openSettings(): void {
  const now = settings.get();
  const choose = <K extends 'theme' | 'skin' | 'numbers' | 'placing' | 'language'>(
    key: K,
    legend: string,
    labels: Record<Settings[K], string>,
    kind: 'tiles' | 'list' = 'tiles',
  ): HTMLElement => {
    const values = Object.keys(labels) as Settings[K][];
    const choices = values.map((value) => ({ value, label: labels[value] }));
    return choiceField(legend, choices, now[key], (value) => changeSettings({ [key]: value }), kind);
  };
  const language = choose('language', words.settings.language, words.settings.languages);
  language.addEventListener('change', () => location.reload());
  const volume = h('input', {
    type: 'range',
    min: 0,
    max: 100,
    value: Math.round(now.volume * 100),
    onchange: () => {
      changeSettings({ volume: volume.valueAsNumber / 100 });
      play('stone');
    },
  });
  openDialog(
    words.settings.heading,
    choose('theme', words.settings.theme, words.settings.themes),
    choose('skin', words.settings.skin, words.settings.skins),
    choose('numbers', words.settings.numbers, words.settings.numbersOf),
    h(
      'div',
      { class: 'checks' },
      checkField(words.settings.coordinates, now.coordinates, (coordinates) => changeSettings({ coordinates })),
      checkField(words.settings.forbidden, now.forbidden, (forbidden) => changeSettings({ forbidden })),
      checkField(words.settings.sound, now.sound, (sound) => changeSettings({ sound })),
      h('label', { class: 'field' }, h('span', {}, words.settings.volume), volume),
    ),
    choose('placing', words.settings.placing, words.settings.placings, 'list'),
    language,
  );
}
