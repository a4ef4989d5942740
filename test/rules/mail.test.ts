import { withoutLinks } from '../../src/mail/mailer.js';

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
