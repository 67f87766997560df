import { h, show } from '../dom';
import type { Room } from '../state';
import { words } from '../text';
import { linkField } from '../ui/copy';

export interface Invite {
  node: HTMLElement;
  update(room: Room, seated: boolean): void;
}

/** The link for the friend whose seat is still free. */
export function createInvite(): Invite {
  const node = h('section', { class: 'invite', hidden: true });
  let built = false;
  return {
    node,
    update(room, seated) {
      const open = room.phase === 'open' && seated;
      show(node, open);
      if (!open || built) return;
      built = true;
      node.replaceChildren(
        h('h2', {}, words.room.waitingFriend),
        h('p', { class: 'muted' }, words.room.waitingAbout),
        linkField(words.room.link, new URL(`/room/${room.id}`, location.origin).href),
      );
    },
  };
}
