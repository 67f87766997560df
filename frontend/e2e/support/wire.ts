// A socket of its own inside a person's page: what the server says without our pages
// between, and what a page would never send.

import type { Page } from 'playwright-core';
import type { RoomMessage } from '../../src/protocol';

interface Answer {
  type: string;
  code?: string;
  [field: string]: unknown;
}

/** Sends the commands one after the other, each with an id, and returns their answers. */
export function converse(page: Page, commands: object[]): Promise<Answer[]> {
  return page.evaluate(
    (all) =>
      new Promise<Answer[]>((resolve, reject) => {
        const answers: Answer[] = [];
        const socket = new WebSocket(`ws://${location.host}/ws`, 'gomokud.v1');
        const next = (): void => {
          const command = all[answers.length];
          if (command) return socket.send(JSON.stringify({ ...command, id: `wire-${Math.random()}-${answers.length}` }));
          socket.close();
          resolve(answers);
        };
        socket.onmessage = ({ data }) => {
          const message = JSON.parse(String(data)) as Answer;
          if (message.type === 'hello') return next();
          if (!String(message.id ?? '').startsWith('wire-')) return;
          answers.push(message);
          next();
        };
        socket.onclose = () => reject(new Error('the server closed the socket'));
      }),
    commands,
  );
}

/** The room as the server tells it to this person now. */
export async function roomNow(page: Page, room: string): Promise<RoomMessage> {
  const [answer] = await converse(page, [{ type: 'join', room }]);
  return answer as unknown as RoomMessage;
}
