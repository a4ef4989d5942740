/** What differs from run to run: ids, dates, codes of teams. */
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const DATE = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/**
 * Compares what pages show with what was printed. An id of a page stands for the id that was printed
 * in its place, here and on all that follows: an item whose `parent` is another item's id on the page
 * has that item for its parent.
 */
export class Responses {
  private readonly ids = new Map<string, string>();

  /** A text of a page and a printed one in the same form: equal where they say the same. */
  compare(shown: string, printed: string): { shown: unknown; printed: unknown } {
    const isJson = /^\s*[[{]/.test(shown);
    if (!isJson) return { shown: plain(shown), printed: plain(printed) };
    const response = lastJson(printed);
    const page = JSON.parse(shown);
    this.learn(page, response);
    return { shown: this.steady(page, true), printed: this.steady(response, false) };
  }

  /** The first time that an id is shown, whatever stands in its place is meant. */
  private learn(page: unknown, response: unknown): void {
    if (typeof page === 'string' && typeof response === 'string') {
      const [ids, found] = [page.match(UUID) ?? [], response.match(UUID) ?? []];
      for (const [n, id] of ids.entries()) if (!this.ids.has(id)) this.ids.set(id, `${found[n]}`);
    }
    if (typeof page !== 'object' || page === null || typeof response !== 'object') return;
    for (const [key, value] of Object.entries(page)) {
      this.learn(value, (response as Record<string, unknown> | null)?.[key]);
    }
  }

  private steady(value: unknown, isPage: boolean): unknown {
    if (typeof value === 'string') {
      const text = value.replace(DATE, '<date>');
      return isPage ? text.replace(UUID, (id) => this.ids.get(id) ?? id) : text;
    }
    if (Array.isArray(value)) return value.map((one) => this.steady(one, isPage));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        FREE[key]?.(one) ?? this.steady(one, isPage),
      ]),
    );
  }
}

/** Fields that are drawn or taken from the clock: only their form is compared. */
const FREE: Record<string, (value: unknown) => string | null> = {
  inviteCode: (value) => (/^[\w-]{24}$/.test(String(value)) ? '<code>' : null),
  billingCycleStart: (value) => (Number.isSafeInteger(value) ? '<milliseconds>' : null),
};

const plain = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trimEnd().replace(UUID, '<id>').replace(DATE, '<date>'));

/** The last line that is JSON; a response is one line. */
function lastJson(printed: string): unknown {
  const line = printed
    .trim()
    .split('\n')
    .findLast((one) => /^[[{]/.test(one));
  if (line === undefined) throw new Error(`no response was printed:\n${printed}`);
  return JSON.parse(line);
}
