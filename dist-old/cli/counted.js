/** `1 page`, `2,000 pages`. */
export const counted = (number, noun) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
//# sourceMappingURL=counted.js.map