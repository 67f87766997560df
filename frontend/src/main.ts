import './css/tokens.css';
import './css/base.css';
import './css/header.css';
import './css/forms.css';
import './css/lobby.css';
import './css/entries.css';
import './css/board.css';
import './css/room.css';
import './css/moves.css';
import './css/low.css';
import { mount } from 'svelte';
import { getOptions, getSession } from './api';
import type { App } from './app';
import Pages from './App.svelte';
import type { Person } from './protocol';
import { createRouter } from './router';
import { createSeek } from './seek';
import { dressDocument } from './settings';
import { createSignal } from './signal';
import { createSocket } from './socket';
import { allowSounds, play } from './sound';
import { mountSpeech, speak } from './speech';
import { words } from './text';
import { watchPage } from './wake';

const socket = createSocket({
  open: () => new WebSocket(new URL('/ws', location.href.replace(/^http/, 'ws')), 'gomokud.v1'),
  renew: getSession,
  now: () => performance.timeOrigin + performance.now(), // goes on evenly when the computer's clock is set
  random: Math.random,
});

const router = createRouter();

// A new name is a new cookie, which every open line has to be told.
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('gomokud');
tabs?.addEventListener('message', () => socket.restart());

const app: App = {
  socket,
  router,
  me: createSignal<Person | null>(null),
  rooms: createSignal<string[]>([]),
  storeDown: createSignal(false),
  seek: createSeek(socket, (room) => {
    play('joined');
    router.go(`/room/${room}`);
  }),
  renamed(me) {
    app.me.set(me);
    socket.restart();
    tabs?.postMessage('session');
  },
};

socket.onMessage((message) => {
  if (message.type === 'hello') {
    app.me.set(message.you);
    app.rooms.set(message.rooms);
    app.storeDown.set(false);
  } else if (message.type === 'service') {
    app.storeDown.set(message.store !== 'ok');
  } else if (message.type === 'paired' && !app.rooms.get().includes(message.room)) {
    app.rooms.set([...app.rooms.get(), message.room]);
  }
});

app.seek.found.on((room) => {
  if (room !== null) speak(words.lobby.found);
});

document.documentElement.lang = words.code === 'zh' ? 'zh-CN' : words.code;
dressDocument();
allowSounds();
mount(Pages, { target: document.getElementById('app')!, props: { app } });
mountSpeech();
watchPage(socket);
void getOptions();
router.start();
// The line needs a session, which a first visitor does not have yet.
void getSession().then((answer) => {
  if (answer.ok) app.me.set(answer.value);
  socket.start();
});
