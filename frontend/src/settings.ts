// How this device shows the game and takes moves.

import { createSignal } from './signal';
import { load, save } from './storage';

export type Placing = 'direct' | 'confirm' | 'drag';

export interface Settings {
  theme: 'system' | 'light' | 'dark';
  skin: 'kaya' | 'walnut' | 'paper' | 'slate';
  language: 'auto' | 'en' | 'zh';
  numbers: 'off' | 'all' | 'last5';
  coordinates: boolean;
  forbidden: boolean;
  sound: boolean;
  volume: number; // 0 to 1
  placing: Placing;
}

const key = 'gomokud.settings';

function defaults(): Settings {
  const coarse = typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;
  return {
    theme: 'system',
    skin: 'kaya',
    language: 'auto',
    numbers: 'off',
    coordinates: true,
    forbidden: true,
    sound: true,
    volume: 0.6,
    placing: coarse ? 'confirm' : 'direct', // a finger covers three points of a phone's board
  };
}

export const settings = createSignal<Settings>(load(key, defaults()));

export function changeSettings(change: Partial<Settings>): void {
  settings.set({ ...settings.get(), ...change });
  save(key, settings.get());
}

/** Keeps the document's look in step with the settings. */
export function dressDocument(): void {
  const dress = (now: Settings): void => {
    document.documentElement.dataset.theme = now.theme;
    document.documentElement.dataset.skin = now.skin;
  };
  settings.on(dress);
  dress(settings.get());
}
