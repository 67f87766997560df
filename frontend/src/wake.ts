// Moments at which the page knows better than the line whether it still stands.

import type { Socket } from './socket';

export function watchPage(socket: Socket): void {
  addEventListener('online', () => socket.wake());
  addEventListener('offline', () => socket.wake()); // so that a dead line is noticed at once
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') socket.wake();
  });
  // A page that the browser keeps for the back button may hold no open line.
  addEventListener('pagehide', (event) => {
    if (event.persisted) socket.stop();
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) socket.start();
  });
}
