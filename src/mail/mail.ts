/** A mail to one person, in two forms. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** One line of at most `max` code points: what a header, or a sentence, can hold. */
export function oneLine(text: string, max = 120): string {
  const line = Array.from(text.replace(/[\s\p{C}]+/gu, ' ').trim());
  return line.length > max ? `${line.slice(0, max - 1).join('')}…` : line.join('');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML that shows it. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] as string);
}
