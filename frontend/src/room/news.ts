// What is heard when something happens at a table.

import { colorOfMove, opponentOf, type EventsMessage } from '../protocol';
import { play } from '../sound';
import { speak, toast } from '../speech';
import { seatOf, type Room } from '../state';
import { colorWord, words } from '../text';
import { creditWords, nameOf, resultWords } from './model';

/**
 * Sounds and spoken words for the events that led from one state to the next. The
 * player's own move made its sound when it was played: `heard`.
 */
export function announce(before: Room, after: Room, message: EventsMessage, me: string, heard: string | null): void {
  const seat = seatOf(after, me);
  let ply = before.moves.length;
  for (const event of message.events) {
    switch (event.kind) {
      case 'started': {
        ply = 0;
        play('joined');
        const opponent = seat ? nameOf(after, opponentOf(seat)) : nameOf(after, 'white');
        speak(words.room.joined(opponent));
        break;
      }
      case 'placed':
        if (event.point !== heard) play('stone');
        speak(words.room.said(colorWord(colorOfMove(ply++)), event.point));
        break;
      case 'passed':
        speak(words.room.passed(colorWord(colorOfMove(ply++))));
        break;
      case 'takenback':
        ply -= event.plies;
        speak(words.room.takenBack);
        break;
      case 'credited':
        toast(creditWords(after, me, event));
        break;
      case 'declined':
        if (seat && event.color !== seat) toast(words.room.declined[event.what]);
        break;
      case 'ended': {
        play('end');
        const { head, detail } = resultWords(event, { black: nameOf(after, 'black'), white: nameOf(after, 'white') }, seat);
        speak(`${head}. ${detail}`);
      }
    }
  }
}
