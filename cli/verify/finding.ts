/** The result of an invariant's check. */
export interface Finding {
  name: string;
  violations: number;
  /** A few of them, as JSON; at most EXAMPLES. */
  examples: string[];
}

export const EXAMPLES = 5;
