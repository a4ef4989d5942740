/** Kinds of characters of folded text. */
export const SEPARATOR = 0;
/** A letter, mark or digit of a script that puts spaces between words. */
export const LETTER = 1;
/** A letter, mark or digit of a script that does not. */
export const SIGN = 2;
export type Kind = typeof SEPARATOR | typeof LETTER | typeof SIGN;

export const NO_CASE = 0;
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
export type LetterCase = typeof NO_CASE | typeof LOWER | typeof UPPER | typeof DIGIT;

/** A cluster (a character with the marks that follow it) after folding. */
export interface FoldedCluster {
  /** Its code points: none (an invisible character) to 18 (U+FDFA). */
  readonly points: readonly { readonly text: string; readonly kind: Kind }[];
  /** Of its first letter before folding. */
  readonly letterCase: LetterCase;
}

/** Code points of a cluster that count; more marks than people write are ignored, since to sort them is quadratic. */
export const MAX_CLUSTER = 32;
/** Clusters of several UTF-16 units that are remembered. */
const MAX_REMEMBERED = 4096;

/** What does not show: soft hyphens, joiners, variation selectors. U+FEFF is white space, as elsewhere in the service. */
const INVISIBLE = /(?!\uFEFF)\p{Default_Ignorable_Code_Point}/gu;
const MARK = /^\p{M}/u;
/** Marks, and the vowels and final consonants of Hangul: NFKC can compose them with what is before them. */
const COMPOSES = /^[\p{M}\u1161-\u1175\u11A8-\u11C2]/u;
const WORD_CHARACTER = /^[\p{L}\p{M}\p{N}]/u;
const STRIPPED_MARKS =
  /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
const WITHOUT_SPACES = new RegExp(
  `^[${[
    ...['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Yi', 'Tangut', 'Nushu'],
    ...['Khitan_Small_Script', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tai_Le', 'New_Tai_Lue'],
    ...['Tai_Tham', 'Tai_Viet', 'Javanese', 'Balinese'],
  ]
    .map((script) => `\\p{Script_Extensions=${script}}`)
    .join('')}]`,
  'u',
);

/**
 * Text in the form in which words are compared: without differences of compatibility, case and normalization, and
 * without marks after letters of the scripts that do without them (decisions 13.8). It is idempotent.
 * @param text linear for text of few marks in a row; the words of a text are folded by cluster
 */
export function fold(text: string): string {
  const compatible = text.replace(INVISIBLE, '').normalize('NFKC');
  // By way of upper case: ß and ẞ are ss, and all four of i, I, ı and İ are one letter.
  const upper = compatible.toLowerCase().toUpperCase();
  const caseless = upper.toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
  return caseless.normalize('NFD').replace(STRIPPED_MARKS, '$1').normalize('NFC');
}

/** By UTF-16 unit; filled as characters occur. */
const units: (FoldedCluster | undefined)[] = [];
const clusters = new Map<string, FoldedCluster>();

/** A cluster that has been folded before. */
export function recallCluster(cluster: string): FoldedCluster | undefined {
  return cluster.length === 1 ? units[cluster.charCodeAt(0)] : clusters.get(cluster);
}

/** A cluster of one UTF-16 unit that has been folded before. */
export const recallUnit = (unit: number): FoldedCluster | undefined => units[unit];

/** @param cluster at most MAX_CLUSTER code points */
export function foldCluster(cluster: string): FoldedCluster {
  const folded = { points: classify(fold(cluster)), letterCase: caseOf(cluster) };
  if (cluster.length === 1) units[cluster.charCodeAt(0)] = folded;
  else {
    if (clusters.size >= MAX_REMEMBERED) clusters.clear();
    clusters.set(cluster, folded);
  }
  return folded;
}

function classify(folded: string): FoldedCluster['points'] {
  let before: Kind = SEPARATOR;
  return Array.from(folded, (text) => {
    // A mark is part of what it stands on: the accent ´, which is a space with a mark, is not a word.
    if (!MARK.test(text)) before = kindOf(text);
    return { text, kind: before };
  });
}

function kindOf(character: string): Kind {
  if (!WORD_CHARACTER.test(character)) return SEPARATOR;
  return WITHOUT_SPACES.test(character) ? SIGN : LETTER;
}

function caseOf(cluster: string): LetterCase {
  const character = cluster.normalize('NFKC');
  if (/^\p{N}/u.test(character)) return DIGIT;
  if (/^[\p{Lu}\p{Lt}]/u.test(character)) return UPPER;
  return /^\p{Ll}/u.test(character) ? LOWER : NO_CASE;
}

/** Whether a UTF-16 unit continues the cluster before it: 0 is not known yet. */
const unitContinues = new Uint8Array(0x10000);
const NO = 1;
const YES = 2;

/** Whether a character belongs to the cluster of the character before it. */
export function continuesCluster(codePoint: number): boolean {
  if (codePoint < 0x80) return false;
  if (codePoint > 0xffff) return composes(codePoint);
  if (unitContinues[codePoint] === 0) unitContinues[codePoint] = composes(codePoint) ? YES : NO;
  return unitContinues[codePoint] === YES;
}

function composes(codePoint: number): boolean {
  const compatible = String.fromCodePoint(codePoint).replace(INVISIBLE, '').normalize('NFKC');
  return compatible === '' || COMPOSES.test(compatible);
}

/** Whether a character is in words of a script that puts spaces between them. */
export function isLetter(codePoint: number): boolean {
  const character = String.fromCodePoint(codePoint);
  const { points } = recallCluster(character) ?? foldCluster(character);
  return points.some(({ kind }) => kind === LETTER);
}
