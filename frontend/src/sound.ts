// Sounds made on the spot: there is nothing to load. Browsers allow them only
// after the first gesture, so there is no audio at all before it.

import { settings } from './settings';

export type Sound = 'stone' | 'joined' | 'low' | 'end';

let audio: AudioContext | null = null;

export function allowSounds(): void {
  const events = ['pointerup', 'keydown'] as const;
  const begin = (): void => {
    for (const event of events) removeEventListener(event, begin);
    if (typeof AudioContext !== 'undefined') audio = new AudioContext();
  };
  for (const event of events) addEventListener(event, begin);
}

export function play(sound: Sound): void {
  const { sound: on, volume } = settings.get();
  if (!audio || !on || volume === 0) return;
  if (audio.state === 'suspended') void audio.resume();
  const out = audio.createGain();
  out.gain.value = volume;
  out.connect(audio.destination);
  sounds[sound](audio, out);
}

const sounds: Record<Sound, (audio: AudioContext, out: AudioNode) => void> = {
  stone(audio, out) {
    knock(audio, out);
    tone(audio, out, { frequency: 210, from: 0, lasts: 0.07, loud: 0.5, end: 120 });
  },
  joined(audio, out) {
    tone(audio, out, { frequency: 523, from: 0, lasts: 0.18, loud: 0.25 });
    tone(audio, out, { frequency: 784, from: 0.13, lasts: 0.3, loud: 0.25 });
  },
  low(audio, out) {
    for (const from of [0, 0.16]) tone(audio, out, { frequency: 880, from, lasts: 0.1, loud: 0.25 });
  },
  end(audio, out) {
    for (const [i, frequency] of [392, 494, 587].entries()) {
      tone(audio, out, { frequency, from: i * 0.09, lasts: 0.7, loud: 0.2 });
    }
  },
};

interface Tone {
  frequency: number;
  from: number;
  lasts: number;
  loud: number;
  end?: number; // the frequency it falls to
}

function tone(audio: AudioContext, out: AudioNode, { frequency, from, lasts, loud, end }: Tone): void {
  const begin = audio.currentTime + from;
  const oscillator = audio.createOscillator();
  oscillator.type = 'sine';
  oscillator.frequency.setValueAtTime(frequency, begin);
  if (end) oscillator.frequency.exponentialRampToValueAtTime(end, begin + lasts);
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.0001, begin);
  gain.gain.exponentialRampToValueAtTime(loud, begin + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + lasts);
  oscillator.connect(gain).connect(out);
  oscillator.start(begin);
  oscillator.stop(begin + lasts);
}

/** The click of a stone on wood: a very short burst of filtered noise. */
function knock(audio: AudioContext, out: AudioNode): void {
  const samples = Math.floor(audio.sampleRate * 0.035);
  const buffer = audio.createBuffer(1, samples, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < samples; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / samples) ** 5;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = 2300;
  filter.Q.value = 0.8;
  source.connect(filter).connect(out);
  source.start();
}
