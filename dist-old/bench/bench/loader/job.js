/** About a kilobyte of text, as pages have it. */
export const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(20);
