// What players may do beside placing stones.

import { en as words } from '../../src/text/en';
import { blackWins, fivePlusThree, table } from '../support/games';
import { playOut } from '../support/play';
import { expect, test } from '../support/test';
import { soon } from '../support/wait';

const opening = ['h8', 'i9', 'g7', 'j10'];

test('resigning takes two steps, of which the first can be taken back', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, {}, opening);
  await ben.press(words.room.resign);
  await ben.press(words.room.sure.resign.no);
  await ben.press(words.room.resign);
  await ann.reads(words.room.yourTurn); // nothing has happened yet
  await ben.press(words.room.sure.resign.yes);
  await ben.reads(words.result.lost);
  await ann.reads(words.result.won);
  await ann.reads(words.result.why('resignation', '', await ben.name(), ''));
});

test('a double click on Resign does not resign', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, {}, opening);
  await ann.button(words.room.resign).dblclick();
  await ann.place('a1');
  await ben.sees([...opening, 'a1']);
});

test('passing takes two steps, of which the first can be taken back', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, { rule: 'renju' }, opening);
  await ann.press(words.room.pass);
  await ann.press(words.room.sure.pass.no);
  await ann.press(words.room.pass);
  await ann.button(words.room.sure.pass.yes).waitFor();
  await ann.reads(words.room.yourTurn); // nothing has happened yet
  await ann.place('a1'); // which answers the question, too
  await ben.sees([...opening, 'a1']);
  await ben.press(words.room.pass);
  await ben.press(words.room.sure.pass.yes);
  await ann.reads(words.room.passed(words.white));
  expect(await ann.button(words.room.sure.pass.yes).count()).toBe(0);
});

for (const device of ['desktop', 'phone'] as const) {
  test(`a double click on Pass does not pass: ${device}`, async ({ person }) => {
    const [ann, ben] = [await person({ device }), await person()];
    await table(ann, ben, { rule: 'renju' }, opening);
    await ann.button(words.room.pass).dblclick();
    await ann.button(words.room.sure.pass.yes).waitFor();
    await ann.press(words.room.sure.pass.no);
    await ben.press(words.room.takeback); // told after whatever else was sent
    await ann.press(words.room.accept);
    for (const one of [ann, ben]) await one.sees(opening.slice(0, 3));
  });
}

test('with the keyboard, Enter twice on Pass does nothing', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, { rule: 'renju' }, opening);
  await ann.button(words.room.pass).focus();
  for (const name of [words.room.sure.pass.no, words.room.pass]) {
    await ann.page.keyboard.press('Enter');
    await soon(async () => expect(await ann.page.evaluate(() => document.activeElement?.textContent)).toBe(name));
  }
});

test('a draw is offered, declined, offered again and accepted', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, {}, opening);
  await ann.press(words.room.draw);
  await ann.finds(words.room.drawOffered);
  await ben.finds(words.room.drawAsked(await ann.name()));
  await ben.press(words.room.decline);
  await ann.finds(words.room.declined.draw);
  await playOut(ann, ben, [...opening, 'a1', 'a2'], opening.length);
  await ben.press(words.room.draw);
  await ann.press(words.room.accept);
  for (const one of [ann, ben]) await one.reads(words.result.why('agreement', '', '', ''));
});

test('a move goes back only when the other side grants it', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, {}, opening);
  await ben.press(words.room.takeback);
  await ann.finds(words.room.takebackAsked(await ben.name()));
  await ann.press(words.room.decline);
  await ben.finds(words.room.declined.takeback);
  await ann.place('a1');
  await ann.press(words.room.takeback);
  await ben.press(words.room.accept);
  for (const one of [ann, ben]) await one.sees(opening);
  await ann.place('g9');
  await ben.sees([...opening, 'g9']);
});

test('a game may be aborted until the second move', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await table(ann, ben, {}, ['h8']);
  await ben.press(words.room.abort);
  for (const one of [ann, ben]) await one.reads(words.result.noResult);

  const [cyd, dan] = [await person(), await person()];
  await table(cyd, dan, {}, ['h8', 'i9']);
  expect(await cyd.button(words.room.abort).count()).toBe(0);
});

test('a table that nobody has joined can be closed', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await ann.playFriend({});
  const room = await ann.room();
  await ann.press(words.room.closeRoom);
  await ann.reads(words.result.noResult);
  await ben.visit(`/room/${room}`);
  await ben.reads(words.result.noResult);
});

test('a rematch swaps the colours, counts, and takes the spectators along', async ({ person }) => {
  const [ann, ben, eve] = [await person(), await person(), await person()];
  const room = await table(ann, ben, { clock: fivePlusThree }, blackWins);
  await eve.visit(`/room/${room}`);
  await eve.sees(blackWins);
  await ann.press(words.room.rematch);
  await ben.finds(words.room.rematchAsked(await ann.name()));
  await ben.press(words.room.accept);
  await ben.reads(words.room.yourTurnFirst);
  await eve.sees([]);
  await playOut(ben, ann, opening);
  await eve.sees(opening);
  for (const one of [ann, ben, eve]) {
    await soon(async () => expect(await one.player('white').textContent()).toContain(await ann.name()));
    await one.player('white').getByRole('img', { name: words.room.score('1') }).waitFor();
    await one.player('black').getByRole('img', { name: words.room.score('0') }).waitFor();
  }
  // The game before can still be looked at.
  await eve.page.getByRole('link', { name: words.room.game(1) }).click();
  await eve.sees(blackWins);
});

test('the win is claimed when the opponent is gone, in their turn only', async ({ person, ownServer }) => {
  const server = await ownServer('--claim-after', '1s');
  const [ann, ben] = [await person({ server }), await person({ server })];
  await table(ann, ben, { clock: fivePlusThree }, opening); // without a clock one waits ten times as long
  const name = await ben.name();
  await ben.page.goto('about:blank');
  await ann.finds(words.room.claimNotNow);
  expect(await ann.button(words.room.claim).isVisible()).toBe(false);
  await ann.place('a1');
  await ann.press(words.room.claim);
  await ann.reads(words.result.won);
  await ann.reads(words.result.why('abandonment', '', name, ''));
});

test('an opponent who is back in time loses nothing', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  const room = await table(ann, ben, {}, opening.slice(0, 3));
  const name = await ben.name();
  await ben.page.goto('about:blank');
  await ann.finds(new RegExp(`${name} has been away for`));
  await ben.visit(`/room/${room}`);
  await ann.misses(new RegExp(`${name} has been away for`));
  await ben.place('j10');
  await ann.sees(opening);
});

test('who runs out of time has lost, whoever looks', async ({ person }) => {
  const [ann, ben] = [await person(), await person()];
  await ann.playFriend({ color: 'black', secondsPerMove: 2 });
  await ben.visit(`/room/${await ann.room()}`);
  await playOut(ann, ben, ['h8']);
  await ben.reads(words.result.lost);
  await ann.reads(words.result.why('time', '', await ben.name(), ''));
});
