import { UnauthorizedError } from 'teamspaces-client';
import { sentenceOf } from './errors.js';

/**
 * The line that tells what has happened. It stays until the next one: nobody has to read fast.
 * @param root the element with a `status`, an `alert` and a button
 */
export function messagesIn(root, signIn) {
  const status = root.querySelector('[role=status]');
  const alert = root.querySelector('[role=alert]');
  const button = root.querySelector('button');

  /** @param action what a person can do about it: the `label` of a button, and what it does, `run()` */
  function show(element, text, action) {
    status.textContent = '';
    alert.textContent = '';
    element.textContent = text;
    button.hidden = !action;
    button.textContent = action?.label ?? '';
    button.onclick = action?.run;
  }
  return {
    say: (text, action) => show(status, text, action),
    fail(error) {
      const action = { label: 'Sign in', run: signIn };
      show(alert, sentenceOf(error), error instanceof UnauthorizedError ? action : undefined);
    },
  };
}
