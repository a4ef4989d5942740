/** One line of at most `max` code points: for a header or a sentence. */
export function oneLine(text, max = 120) {
    const line = Array.from(text.replace(/[\s\p{C}]+/gu, ' ').trim());
    return line.length > max ? `${line.slice(0, max - 1).join('')}…` : line.join('');
}
/** Dots, as browsers read them, and at signs inside a word; and what follows the scheme of a URL. */
const ADDRESS_SIGNS = /(?<=\S)[.\u2024\u3002\uFE52\uFF0E\uFF61@\uFE6B\uFF20](?=\S)|:(?=\/\/)/gu;
/**
 * Text that mail programs do not turn into links: `evil.example` becomes `evil[.]example`. Brackets
 * are how reports of threats "defang" addresses. Unlike invisible characters, no program drops them
 * before it looks for links, and they survive copying.
 */
export const withoutLinks = (text) => text.replace(ADDRESS_SIGNS, '[$&]');
const ENTITIES = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
};
/** Text as HTML that shows it. */
export function escapeHtml(text) {
    return text.replace(/[&<>"']/g, (char) => ENTITIES[char]);
}
//# sourceMappingURL=mail.js.map