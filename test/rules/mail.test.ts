import { withoutLinks } from '../../src/mail/mailer.js';
import { pauseAfter } from '../../src/teams/invites/invite-outbox.js';

const HOUR = 3_600_000;

test.each([
  [1, 1_000],
  [2, 2_000],
  [12, 2_048_000],
  [13, HOUR],
  [2_000, HOUR],
])('a mail that was tried %i times is tried again after about %i ms', (attempts, pause) => {
  for (let n = 0; n < 100; n++) {
    const waited = pauseAfter(attempts, 24 * HOUR - 1) ?? 0;
    expect(Math.abs(waited - pause)).toBeLessThanOrEqual(pause / 4);
  }
});

test('a mail is given up after a day', () => {
  expect(pauseAfter(1, 24 * HOUR)).toBeNull();
});

test.each([
  ['evil.example', 'evil[.]example'],
  ['www.evil.example/login?a=b', 'www[.]evil[.]example/login?a=b'],
  ['https://localhost:8080/x', 'https[:]//localhost:8080/x'],
  ['HTTP://1.2.3.4', 'HTTP[:]//1[.]2[.]3[.]4'],
  ['mallory@evil', 'mallory[@]evil'],
  // What browsers take for a dot, or for an at sign.
  ['evil\u3002example', 'evil[\u3002]example'],
  ['evil\uff0eexample', 'evil[\uff0e]example'],
  ['evil\uff61example', 'evil[\uff61]example'],
  ['mallory\uff20evil', 'mallory[\uff20]evil'],
])('an address in a text is no link any more: %s', (text, shown) => {
  expect(withoutLinks(text)).toBe(shown);
});

test.each(['Acme Inc.', 'Ada J. Lovelace', 'Olive @ Acme', 'Team: Red', 'a . b', 'Ünïcödé 東京'])(
  'an ordinary name stays as it is: %s',
  (text) => {
    expect(withoutLinks(text)).toBe(text);
  },
);
