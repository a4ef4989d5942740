import type { Caller } from '../app.js';
import { type ItemBody, ok } from '../builders.js';
import type { Workspace } from '../scene.js';
import { sql } from '../sql.js';
import { everyItem } from '../tree.js';
import { fromContent, many, newText, newTitle, type PageText, pick, toContent } from './oracle.js';

/** What a page is after a write. */
interface State {
  /** Where it can be read; null: it is in the trash, or gone. */
  place: Workspace | null;
  text: PageText;
  sentAt: number;
  /** Infinity: not yet. */
  answeredAt: number;
}

/** A page that was made, and all that it ever was. */
export class StormPage {
  private readonly states: State[] = [];

  constructor(readonly id: string) {}

  get now(): State {
    return this.states.at(-1) as State;
  }

  /** @returns call it when the write was answered */
  write(change: Partial<Pick<State, 'place' | 'text'>>, sentAt = performance.now()): () => void {
    const nothing = { place: null, text: { title: '', heading: '', paragraphs: [] } };
    const state = { ...(this.now ?? nothing), ...change, sentAt, answeredAt: Infinity };
    this.states.push(state);
    return () => {
      state.answeredAt = performance.now();
    };
  }

  /** What somebody may have seen of it who asked from `start` to `end`. */
  seenBetween(start: number, end: number): State[] {
    const last = this.states.findLastIndex(({ answeredAt }) => answeredAt <= start);
    const seen = this.states.slice(Math.max(last, 0)).filter(({ sentAt }) => sentAt <= end);
    const first = this.states[0] as State;
    return last < 0 ? [{ ...first, place: null }, ...seen] : seen;
  }
}

/** A page, or a collection with pages, that is moved as a whole. */
interface Unit {
  rootId: string;
  pages: StormPage[];
  /** null: in the trash. */
  place: Workspace | null;
  from: Workspace;
}

/** Units of a lane, at most: a search returns a hundred hits, and all of its pages have to be among them. */
const MAX_UNITS = 6;

/** Somebody who writes one thing after another, to pages that nobody else writes to. */
export class Lane {
  readonly pages: StormPage[] = [];
  private readonly units: Unit[] = [];
  private applied: { parent: string; place: Workspace; pages: Map<string, StormPage> } | null =
    null;

  /** @param places workspaces of one team that the caller writes to */
  constructor(
    private readonly caller: Caller,
    private readonly places: readonly Workspace[],
    private readonly databaseUrl: string,
  ) {}

  async begin(): Promise<void> {
    const place = pick(this.places);
    const { id } = await ok<ItemBody>(
      this.caller.post(`/collections${place.query}`, { name: 'Lane' }),
    );
    this.applied = { parent: id, place, pages: new Map() };
    await this.apply();
    for (let n = 0; n < 3; n++) await this.create();
  }

  async step(): Promise<void> {
    const living = this.units.filter(({ place }) => place !== null);
    const trashed = this.units.filter(({ place }) => place === null);
    if (living.length < 2 || (this.units.length < MAX_UNITS && Math.random() < 0.15))
      return this.create();
    if (Math.random() < 0.1) return this.apply();
    if (trashed.length > 0 && Math.random() < 0.3) {
      const unit = pick(trashed);
      return Math.random() < 0.6 ? this.restore(unit) : this.purge(unit);
    }
    const unit = pick(living);
    const page = pick(unit.pages);
    const moves = [
      () => this.trash(unit),
      () => this.transfer(unit),
      ...(this.units.length < MAX_UNITS ? [() => this.duplicate(unit)] : []),
      ...(this.units.length > 4 ? [() => this.remove(unit)] : []),
    ];
    const edits = [
      () => this.save(page),
      () => this.save(page),
      () => this.rename(page),
      () => this.patch(page),
      () => this.restoreVersion(page),
      () => this.purgeVersions(page),
    ];
    return Math.random() < 0.35 ? pick(moves)() : pick(edits)();
  }

  private add(rootId: string, place: Workspace, pages: StormPage[]): void {
    this.units.push({ rootId, pages, place, from: place });
    this.pages.push(...pages);
  }

  private async create(): Promise<void> {
    const place = pick(this.places);
    const sentAt = performance.now();
    const bodyOf = (text: PageText) => ({
      ...{ name: text.title, object: 'item', content: toContent(text) },
    });
    const texts = many(pick([1, 1, 3]), newText);
    const [first] = texts;
    const [root] =
      texts.length === 1 && first
        ? [await ok<ItemBody>(this.caller.post(`/collections${place.query}`, bodyOf(first)))]
        : await ok<ItemBody[]>(
            this.caller.post(`/collections/batch${place.query}`, {
              items: [{ name: 'Shelf', children: texts.map(bodyOf) }],
            }),
          );
    const made = everyItem(root ? [root] : []).filter(({ object }) => object === 'item');
    const pages = made.map(({ id }, n) => {
      const page = new StormPage(id);
      page.write({ place, text: texts[n] as PageText }, sentAt)();
      return page;
    });
    this.add(root?.id ?? '', place, pages);
  }

  private async apply(): Promise<void> {
    if (!this.applied) return;
    const { parent, place, pages } = this.applied;
    const keys = ['one', 'two', 'three'].map((key) => `${key} ${parent}`);
    const texts = keys.map((key) => {
      const before = pages.get(key)?.now.text;
      return before && Math.random() < 0.4 ? before : newText();
    });
    const sentAt = performance.now();
    const writes = keys.map((key, n) =>
      pages.get(key)?.write({ text: texts[n] as PageText }, sentAt),
    );
    const items = keys.map((key, n) => {
      const text = texts[n] as PageText;
      return { key, name: text.title, object: 'item', content: toContent(text) };
    });
    await ok(this.caller.put(`/collections/apply${place.query}`, { parent, items }));
    for (const answered of writes) answered?.();
    if (pages.size > 0) return;
    const list = await ok<ItemBody[]>(
      this.caller.get(`/collections${place.query}&parent=${parent}&depth=1`),
    );
    for (const { id, key = '' } of list) {
      const page = new StormPage(id);
      page.write({ place, text: texts[keys.indexOf(key)] as PageText }, sentAt)();
      pages.set(key, page);
      this.pages.push(page);
    }
  }

  /** One write of a page's text. */
  private async edit(page: StormPage, text: PageText, send: () => PromiseLike<Answer>) {
    const answered = page.write({ text });
    await ok(send());
    answered();
  }

  private save(page: StormPage): Promise<void> {
    const text = newText();
    const isNamed = Math.random() < 0.5;
    if (!isNamed) text.title = page.now.text.title;
    const body = { content: toContent(text), ...(isNamed && { name: text.title }) };
    return this.edit(page, text, () => this.caller.put(`/collections/${page.id}`, body));
  }

  private rename(page: StormPage): Promise<void> {
    const text = { ...page.now.text, title: newTitle() };
    return this.edit(page, text, () =>
      this.caller.put(`/collections/${page.id}`, { [pick(['name', 'title'])]: text.title }),
    );
  }

  private patch(page: StormPage): Promise<void> {
    const [first = ''] = newText().paragraphs;
    const text = { ...page.now.text, paragraphs: page.now.text.paragraphs.with(0, first) };
    return this.edit(page, text, () =>
      this.caller.patch(`/collections/${page.id}/content`, [
        { op: 'replace', path: '/content/1/content/0/text', value: first },
      ]),
    );
  }

  private async restoreVersion(page: StormPage): Promise<void> {
    const path = `/collections/${page.id}`;
    // As if ten minutes had passed.
    await sql(this.databaseUrl, 'UPDATE collections SET saved_version = NULL WHERE id = $1', [
      page.id,
    ]);
    await this.save(page);
    const versions = await ok<{ version: number }[]>(this.caller.get(`${path}/versions`));
    const at = `${path}/versions/${pick(versions).version}`;
    const { content } = await ok<{ content: ReturnType<typeof toContent> }>(this.caller.get(at));
    const text = fromContent(content, page.now.text.title);
    await this.edit(page, text, () => this.caller.post(`${at}/restore`));
  }

  private async purgeVersions({ id }: StormPage): Promise<void> {
    await ok(this.caller.delete(`/collections/${id}/versions`));
  }

  /** One write that moves a unit. */
  private async move(unit: Unit, to: Workspace | null, send: () => PromiseLike<Answer>) {
    const writes = unit.pages.map((page) => page.write({ place: to }));
    await ok(send());
    for (const answered of writes) answered();
    unit.place = to;
    if (to) unit.from = to;
  }

  private trash(unit: Unit): Promise<void> {
    return this.move(unit, null, () => this.caller.delete(`/collections/${unit.rootId}`));
  }

  private restore(unit: Unit): Promise<void> {
    return this.move(unit, unit.from, () =>
      this.caller.post(`/collections/trash/${unit.rootId}/restore`, {}),
    );
  }

  private async purge(unit: Unit): Promise<void> {
    await ok(this.caller.delete(`/collections/trash/${unit.rootId}`));
    this.units.splice(this.units.indexOf(unit), 1);
  }

  private async remove(unit: Unit): Promise<void> {
    await this.move(unit, null, () =>
      this.caller.delete(`/collections/${unit.rootId}?permanent=true`),
    );
    this.units.splice(this.units.indexOf(unit), 1);
  }

  private transfer(unit: Unit): Promise<void> {
    const to = pick(this.places.filter(({ id }) => id !== unit.from.id));
    return this.move(unit, to, () =>
      this.caller.post(`/collections/${unit.rootId}/transfer`, { workspace_slug: to.slug }),
    );
  }

  private async duplicate(unit: Unit): Promise<void> {
    const to =
      Math.random() < 0.5 ? null : pick(this.places.filter(({ id }) => id !== unit.from.id));
    const sentAt = performance.now();
    const { id, ids } = await ok<{ id: string; ids: Record<string, string> }>(
      this.caller.post(`/collections/${unit.rootId}/duplicate?include=ids`, {
        ...(to && { workspace_slug: to.slug }),
      }),
    );
    const place = to ?? unit.from;
    const pages = unit.pages.map((original) => {
      const page = new StormPage(ids[original.id] as string);
      page.write({ place, text: original.now.text }, sentAt)();
      return page;
    });
    this.add(id, place, pages);
  }
}

interface Answer {
  status: number;
  text: string;
  body: unknown;
}
