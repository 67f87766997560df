// A page that was closed, or whose line broke, is back in its game by itself.

import { en as words } from '../../src/text/en';
import { fivePlusThree, table } from '../support/games';
import { playOut } from '../support/play';
import type { Person } from '../support/person';
import { expect, test, type World } from '../support/test';

const opening = ['h8', 'i9', 'g7'];

test('a reload in the middle of the game loses nothing, on either side', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, { clock: fivePlusThree }, opening);
  await ben.page.reload();
  await ben.sees(opening);
  await ben.place('j10');
  await ann.page.reload();
  await ann.sees([...opening, 'j10']);
  await playOut(ann, ben, [...opening, 'j10', 'a1', 'a2'], 4);
});

test('whoever closed the page finds the game in the lobby', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  const room = await table(ann, ben, {}, opening);
  await ben.page.close();
  const again = await ben.tab('/');
  await again.page.getByRole('heading', { name: words.lobby.yours }).waitFor();
  await again.page.locator(`a[href="/room/${room}"]`).first().click();
  await again.sees(opening);
  await again.place('j10');
  await ann.sees([...opening, 'j10']);
});

test('two tabs of one player show the same game, and either may play', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  const room = await table(ann, ben, {}, opening);
  const second = await ben.tab(`/room/${room}`);
  await second.sees(opening);
  await second.place('j10');
  for (const one of [ann, ben, second]) await one.sees([...opening, 'j10']);
  await ann.place('a1');
  await second.myTurn();
  await ben.place('a2');
  for (const one of [ann, ben, second]) await one.sees([...opening, 'j10', 'a1', 'a2']);
});

/** Both play on, on pages that were never loaded anew. */
async function playsOn(black: Person, white: Person, moves: string[]): Promise<void> {
  await playOut(black, white, [...moves, ...['a1', 'a2', 'b1', 'b2'].slice(moves.length % 2)], moves.length);
}

async function rough(person: World['person']): Promise<[Person, Person]> {
  return [await person({ rough: true }), await person({ rough: true })];
}

test('a network that is off and on again costs neither player anything', async ({ person }) => {
  const [ann, ben] = await rough(person);
  await table(ann, ben, { clock: fivePlusThree }, opening);
  const loaded = await loadedAt(ann, ben);
  const off = async (one: Person): Promise<void> => {
    one.line.deafen('up', 'down');
    await one.context.setOffline(true);
    await one.finds(words.line.offline);
  };
  const on = async (one: Person): Promise<void> => {
    one.line.heal();
    await one.context.setOffline(false);
  };

  // The one who waits misses a move.
  await off(ann);
  await ben.place('j10');
  await ben.sees([...opening, 'j10']);
  await ann.sees(opening);
  await on(ann);
  await ann.sees([...opening, 'j10']);
  // The one whose turn it is plays meanwhile: the stone waits, and is stored once.
  await off(ann);
  await ann.place('a1');
  await ann.sending('a1');
  await ann.reads(words.room.sendingMove('a1'));
  await on(ann);
  for (const one of [ann, ben]) await one.sees([...opening, 'j10', 'a1']);
  await playsOn(ann, ben, [...opening, 'j10', 'a1']);
  expect(await loadedAt(ann, ben)).toEqual(loaded);
});

test('a line that breaks under a move brings it when it is back, once', async ({ person }) => {
  const [ann, ben] = await rough(person);
  await table(ann, ben, {}, opening);
  ben.line.cut();
  await ben.finds(words.line.safe);
  await ben.place('j10');
  await ben.finds(words.line.moveSafe);
  await ben.sending('j10');
  await ann.sees(opening);
  ben.line.heal();
  for (const one of [ann, ben]) await one.sees([...opening, 'j10']);
  await playsOn(ann, ben, [...opening, 'j10']);
});

test('a line that breaks again and again only delays the game', async ({ person }) => {
  const [ann, ben] = await rough(person);
  await table(ann, ben);
  const moves = ['h8', 'i9', 'g7', 'j10', 'a1', 'a2'];
  for (const [i, move] of moves.entries()) {
    const [one, other] = i % 2 === 0 ? [ann, ben] : [ben, ann];
    await one.myTurn();
    other.line.drop();
    await one.click(move);
    one.line.drop();
    for (const each of [one, other]) await each.sees(moves.slice(0, i + 1));
  }
});

for (const [way, meaning] of [
  ['up', 'that no longer carries anything to the server'],
  ['down', 'that no longer carries anything from the server'],
] as const) {
  test.concurrent(`a line ${meaning} is noticed and made anew by the player who sent a move`, async ({ person, ownServer }) => {
    const server = await ownServer('--silence', '4s');
    const [ann, ben] = [await person({ server, rough: true }), await person({ server, rough: true })];
    await table(ann, ben, {}, opening);
    ben.line.deafen(way);
    await ben.place('j10');
    await ben.sending('j10');
    ben.line.heal(); // for new connections only: the page has to find out by itself
    for (const one of [ann, ben]) await one.sees([...opening, 'j10']);
    await playsOn(ann, ben, [...opening, 'j10']);
  });

  test.concurrent(`a line ${meaning} is noticed and made anew by the player who waits`, async ({ person, ownServer }) => {
    const server = await ownServer('--silence', '4s');
    const [ann, ben] = [await person({ server, rough: true }), await person({ server, rough: true })];
    await table(ann, ben, {}, opening.slice(0, 2));
    ben.line.deafen(way);
    await ann.place('g7');
    ben.line.heal();
    await ben.sees(opening);
    await playsOn(ann, ben, opening);
  });
}

function loadedAt(...people: Person[]): Promise<number[]> {
  return Promise.all(people.map(({ page }) => page.evaluate(() => performance.timeOrigin)));
}
