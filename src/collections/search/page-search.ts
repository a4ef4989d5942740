import type { Portions } from '@teamspaces/json-text/json-grammar';
import { findMatch, type SnippetPart } from '@teamspaces/page-text/match';
import type { Question } from '@teamspaces/page-text/question';
import { readText } from '@teamspaces/page-text/text';
import { timedOut } from '@teamspaces/pg-lanes/driver-errors';
import { LaneError } from '@teamspaces/pg-lanes/errors';
import type { Transaction } from '../../database/database.js';
import { SharedTurns } from '../../event-loop.js';
import { searchTooBroad } from '../errors.js';
import { MAX_BEHIND, MAX_LOOKED_AT, MAX_SEARCH_TIME, VERIFIED_BYTES } from '../limits.js';
import { prefixOf, toTsquery } from './lexemes.js';
import {
  type Candidate,
  findBehindAmong,
  findCandidates,
  findChangedPages,
  limitTime,
  type PageContent,
  readContents,
  readShown,
} from './page-search.repository.js';
import type { SearchHit } from './search.repository.js';

/** Pages that the index is asked for at a time. */
const CANDIDATES = 1000;
/** Pages that are verified together, at least. */
const FEW_PAGES = 16;

/** Where to look for what. */
export interface PageSearchRequest {
  teamId: string;
  /** Nothing else is looked at. */
  workspaceIds: readonly string[];
  /** With at least one word. */
  question: Question;
  /** Pages to find, at most. */
  limit: number;
  /** Pages that are not to be found. */
  except: ReadonlySet<string>;
  /** True on Citus. */
  isDistributed: boolean;
}

/** A page whose text has every word of a question. */
interface FoundPage {
  id: string;
  workspaceId: string;
  changedAt: Date;
  isInHeading: boolean;
  snippet: readonly SnippetPart[];
}

export interface PageSearchResult {
  /** The best ones first. */
  hits: SearchHit[];
  /** Seconds since the oldest change that was neither in the index nor looked at; null: there is none. */
  behind: number | null;
}

/**
 * Finds pages by their text, in a transaction that sees one moment. What the index finds is a candidate: the text of that
 * moment decides. What has changed since the index has read it is looked at by itself, so that what was saved is found at
 * once.
 * @param onRead is called for each page whose text is read
 * @throws DomainError unprocessable_entity: it computes for longer than MAX_SEARCH_TIME; LaneError too_many_reads: others
 *   take the time
 */
export async function searchPages(
  tx: Transaction,
  request: PageSearchRequest,
  onRead: () => void,
): Promise<PageSearchResult> {
  limitTime(tx, MAX_SEARCH_TIME);
  try {
    const { pages, behind } = await new PageSearch(tx, request, onRead).run();
    return { hits: await toHits(tx, request.teamId, pages), behind };
  } catch (error) {
    throw timedOut(error) ? searchTooBroad() : error;
  }
}

async function toHits(
  tx: Transaction,
  teamId: string,
  pages: readonly FoundPage[],
): Promise<SearchHit[]> {
  const shown = pages.length > 0 ? await readShown(tx, teamId, pages) : [];
  const byId = new Map(shown.map((page) => [page.id, page]));
  return pages.flatMap(({ id, snippet }) => {
    const page = byId.get(id);
    if (!page) return [];
    const { json, ancestors, title, slug } = page;
    return [{ id, json, ancestors, workspace: { title, slug }, snippet }];
  });
}

/** Searches compute in turns. */
const TURNS = new SharedTurns();
/** Milliseconds of a turn. */
const MAX_TURN = 10;
/** Milliseconds after which a search gives up because of others: its transaction must not idle for eight seconds. */
const GIVE_UP = 6_000;

class PageSearch {
  private readonly since = performance.now();
  /** Milliseconds that it has computed: what others do meanwhile is no time of its own. */
  private computed = 0;
  /** Of them, in this turn. */
  private inTurn = MAX_TURN;
  /** What was read, by id; null: it does not match. */
  private readonly verified = new Map<string, FoundPage | null>();

  constructor(
    private readonly tx: Transaction,
    private readonly request: PageSearchRequest,
    private readonly onRead: () => void,
  ) {}

  async run(): Promise<{ pages: FoundPage[]; behind: number | null }> {
    const { limit } = this.request;
    const [behind, inHeadings, anywhere] = await Promise.all([
      this.lookAtChanged(),
      this.candidates(true, null),
      this.candidates(false, null),
    ]);
    await this.verifyAll(true, inHeadings);
    if (this.found.filter(({ isInHeading }) => isInHeading).length < limit) {
      await this.verifyAll(false, anywhere);
    }
    const pages = this.found.sort(byRank).slice(0, limit);
    return { pages, behind };
  }

  private get found(): FoundPage[] {
    return [...this.verified.values()].filter((page) => page !== null);
  }

  /** Whether nothing that comes after this candidate can be among the best: what was looked at may be older. */
  private isEnough({ changedAt, id }: Candidate, isInHeading: boolean): boolean {
    const last = { changedAt, id, isInHeading };
    return this.found.filter((page) => byRank(page, last) <= 0).length >= this.request.limit;
  }

  /**
   * Verifies the newest pages that have changed after the index has read them, as many as a search may look at.
   * @returns seconds, as of PageSearchResult
   */
  private async lookAtChanged(): Promise<number | null> {
    const { tx, request } = this;
    const all = await findBehindAmong(tx, request.teamId, request.workspaceIds);
    if (all.length === 0) return null;
    all.sort((a, b) => (a.newestAge ?? Infinity) - (b.newestAge ?? Infinity));
    const places = all.slice(0, MAX_BEHIND.workspaces);
    const changed = await findChangedPages(tx, request.teamId, places);
    // Then there are more that are not among them.
    const areMany = changed.length > MAX_LOOKED_AT.pages;
    const lacking = all.filter(
      ({ isIncomplete }, n) => isIncomplete || areMany || n >= places.length,
    );
    const looked = await this.lookAt(changed);
    const ages = [...lacking, ...changed.slice(looked)].map(({ age }) => age);
    return ages.length === 0 ? null : Math.max(...ages);
  }

  /** @returns how many of the pages it has looked at */
  private async lookAt(changed: readonly Candidate[]): Promise<number> {
    const bound = { ...MAX_LOOKED_AT };
    let looked = 0;
    while (
      looked < Math.min(changed.length, bound.pages) &&
      bound.textBytes > 0 &&
      bound.bytes > 0
    ) {
      const portion = firstOf(changed.slice(looked, bound.pages), bound.textBytes, Infinity);
      bound.textBytes -= await this.verify(portion);
      for (const { bytes } of portion) bound.bytes -= bytes;
      looked += portion.length;
    }
    return looked;
  }

  /** The next pages that the index finds. */
  private candidates(inHeading: boolean, after: Candidate | null): Promise<Candidate[]> {
    const { teamId, workspaceIds, question, isDistributed } = this.request;
    const queries = workspaceIds.map((workspaceId) => ({
      workspaceId,
      query: toTsquery(prefixOf(workspaceId), question.indexTerms, inHeading),
    }));
    return findCandidates(this.tx, teamId, queries, CANDIDATES, after, isDistributed);
  }

  /** Verifies candidates in their order until there are enough. */
  private async verifyAll(inHeading: boolean, first: readonly Candidate[]): Promise<void> {
    const most = Math.max(FEW_PAGES, 2 * this.request.limit);
    for (let found = first; ; found = await this.candidates(inHeading, found.at(-1) ?? null)) {
      const isNew = ({ id }: Candidate): boolean => !this.verified.has(id);
      for (let left = found.filter(isNew); left[0]; left = left.filter(isNew)) {
        if (this.isEnough(left[0], inHeading)) return;
        await this.verify(firstOf(left, VERIFIED_BYTES, most));
      }
      const last = found.at(-1);
      if (found.length < CANDIDATES || !last || this.isEnough(last, inHeading)) return;
    }
  }

  /** Reads pages and decides on each. @returns bytes of their text */
  private async verify(portion: readonly Candidate[]): Promise<number> {
    const { tx, request } = this;
    const asked = portion.filter(({ id }) => !request.except.has(id));
    const contents = asked.length > 0 ? await readContents(tx, request.teamId, asked) : [];
    for (const { id } of portion) this.verified.set(id, null);
    const workspaces = new Map(portion.map(({ id, workspaceId }) => [id, workspaceId]));
    let textBytes = 0;
    for (const page of contents) {
      textBytes += await this.decide(page, workspaces.get(page.id) as string);
    }
    return textBytes;
  }

  /** @returns bytes of its text */
  private async decide(page: PageContent, workspaceId: string): Promise<number> {
    this.onRead();
    const { id, title, content, changedAt } = page;
    const blocks = await this.compute(readText(title, content));
    const match = await this.compute(findMatch(this.request.question, blocks));
    if (match) this.verified.set(id, { id, workspaceId, changedAt, ...match });
    return blocks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  }

  private async compute<T>(portions: Portions<T>): Promise<T> {
    for (;;) {
      if (this.inTurn >= MAX_TURN) {
        await TURNS.next();
        this.inTurn = 0;
        if (performance.now() - this.since > GIVE_UP) throw new LaneError('too_many_reads');
      }
      const start = performance.now();
      const { done, value } = portions.next();
      const took = performance.now() - start;
      this.inTurn += took;
      this.computed += took;
      if (done) return value;
      if (this.computed > MAX_SEARCH_TIME) throw searchTooBroad();
    }
  }
}

/** The first pages that have this many bytes together, or one. */
function firstOf(pages: readonly Candidate[], bytes: number, count: number): Candidate[] {
  const first: Candidate[] = [];
  let sum = 0;
  for (const page of pages) {
    if (first.length > 0 && (sum + page.bytes > bytes || first.length >= count)) break;
    first.push(page);
    sum += page.bytes;
  }
  return first;
}

type Ranked = Pick<FoundPage, 'isInHeading' | 'changedAt' | 'id'>;

/** In headings first, then the newest, then by id; 0: it is the same page. */
const byRank = (a: Ranked, b: Ranked): number =>
  Number(b.isInHeading) - Number(a.isInHeading) ||
  b.changedAt.getTime() - a.changedAt.getTime() ||
  (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
