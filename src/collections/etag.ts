/** `If-Match`: strong comparison; `*` matches whatever exists. */
export function matches(header: string, etag: string): boolean {
  return tags(header).some((tag) => tag === '*' || tag === etag);
}

/** `If-None-Match`: weak comparison, `W/` makes no difference. */
export function matchesWeakly(header: string, etag: string): boolean {
  return tags(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

const tags = (header: string): string[] => header.split(',').map((tag) => tag.trim());
