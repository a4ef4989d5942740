/** What signs the tokens of tests. */
export const SECRET = 'a secret of tests, 32 bytes at least';
