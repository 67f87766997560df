// Two people meet and play a game to its end.

import { en as words } from '../../src/text/en';
import { blackWins } from '../support/games';
import { playOut } from '../support/play';
import { expect, test } from '../support/test';

test('two who want the same are paired by Play now and play to a win', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await ann.playNow({ clock: '5 + 3' });
  await ann.finds(words.lobby.searching);
  await ben.playNow({ clock: '5 + 3' });
  expect(await ben.room()).toBe(await ann.room());

  await ann.player('white').getByText(await ann.name()).or(ann.player('black').getByText(await ann.name())).waitFor();
  const annBegins = await ann.player('black').getByText(await ann.name()).isVisible();
  const [black, white] = annBegins ? [ann, ben] : [ben, ann];
  await playOut(black, white, blackWins);
  await black.reads(words.result.won);
  await white.reads(words.result.lost);
  expect(await white.cell('j8').getAttribute('aria-label')).toContain(words.board.winning);
});

test('who searches is told so, may read elsewhere meanwhile, and may stop', async ({ person }) => {
  const ann = await person();
  await ann.playNow({ rule: 'caro', clock: '5 + 3' });
  await ann.finds(words.lobby.searching);
  await ann.page.getByRole('link', { name: words.nav.rules }).click();
  await ann.finds(new RegExp(`${words.lobby.searching} \\S+`));
  await ann.page.getByRole('link', { name: words.nav.play, exact: true }).click();
  await ann.press(words.cancel);
  await ann.misses(words.lobby.searching);

  const [ben, cyd] = [await person(), await person()];
  await ben.playNow({ rule: 'caro', clock: '5 + 3' });
  await cyd.playNow({ rule: 'caro', clock: '5 + 3' });
  expect(await ben.room()).toBe(await cyd.room());
  expect(new URL(ann.page.url()).pathname).toBe('/');
});

test('whoever opens the link first has the seat, and the next one watches', async ({ person }) => {
  const [ann, ben, cyd] = [await person(), await person(), await person()];
  await ann.playFriend({ color: 'white', rule: 'standard' });
  await ann.finds(words.room.waitingAbout);
  const link = await ann.page.getByLabel(words.room.link).inputValue();
  expect(new URL(link).pathname).toBe(`/room/${await ann.room()}`);

  await ben.visit(new URL(link).pathname);
  await ben.reads(words.room.yourTurnFirst);
  await cyd.visit(new URL(link).pathname);
  await cyd.reads(words.room.watching);
  await playOut(ben, ann, blackWins);
  await ben.reads(words.result.won);
  await ann.reads(words.result.lost);
  await cyd.sees(blackWins);
  await cyd.reads(words.result.wins(words.black));
});
