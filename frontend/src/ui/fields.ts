// Form fields: groups of choices that show all their options at once.

import { h } from '../dom';

export interface Choice<T extends string> {
  value: T;
  label: string;
  about?: string;
}

let groups = 0;

/** A group of radio buttons in the shape of tiles. */
export function choiceField<T extends string>(
  legend: string,
  choices: Choice<T>[],
  chosen: T,
  onChange: (value: T) => void,
  kind: 'tiles' | 'list' = 'tiles',
): HTMLFieldSetElement {
  const name = `choice${++groups}`;
  const tile = ({ value, label, about }: Choice<T>): HTMLElement =>
    h(
      'label',
      { class: 'choice' },
      h('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => onChange(value) }),
      h('span', { class: 'choice-label' }, h('span', { class: 'choice-name' }, label), about ? h('span', { class: 'choice-about' }, about) : null),
    );
  return h('fieldset', { class: `choices ${kind}` }, h('legend', {}, legend), h('div', { class: 'choice-row' }, ...choices.map(tile)));
}

export function numberField(label: string, value: number, bounds: { min: number; max: number; step?: number }, onChange: (value: number) => void): HTMLElement {
  const field = h('input', {
    type: 'number',
    inputmode: 'decimal',
    value,
    min: bounds.min,
    max: bounds.max,
    step: bounds.step ?? 1,
    required: true,
    oninput: () => {
      if (field.validity.valid) onChange(field.valueAsNumber);
    },
  });
  return h('label', { class: 'field' }, h('span', {}, label), field);
}

export function checkField(label: string, value: boolean, onChange: (value: boolean) => void): HTMLElement {
  const field = h('input', { type: 'checkbox', checked: value, onchange: () => onChange(field.checked) });
  return h('label', { class: 'check' }, field, h('span', {}, label));
}
