/** An item in a response. */
export interface Shown {
  id: string;
  name: string;
  object: string;
  /** Slug; of an ancestor it is not shown. */
  workspace?: string | undefined;
  /** Of a single item only; undefined also where nobody knows the key of that id. */
  parent?: string | null | undefined;
  content?: string | undefined;
  children?: Shown[] | undefined;
  /** From the top level down. */
  ancestors?: Shown[] | undefined;
}
