/** The elements of a list's response: an array, or one named `users`. */
export function elementsOf(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data;
  return (data as { users: readonly unknown[] }).users;
}

/**
 * The cursor of the next page, out of a Link header (RFC 8288); null at the end.
 *
 * Only the cursor is taken: the token goes to no other address than the one that the client was
 * given, whatever a header says.
 */
export function nextCursor(link: string | null): string | null {
  for (const [, target = '', parameters = ''] of (link ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (!/;\s*rel="?next"?/i.test(parameters)) continue;
    return new URL(target, 'http://localhost').searchParams.get('cursor');
  }
  return null;
}
