import type { ErrorCode } from '../errors/domain-error.js';

/** What the manual says of an operation beside what its controller says. */
export interface OperationNotes {
  /** Who may call it. */
  takes: string;
  /** What 200 holds. */
  answer: string;
  /** The errors that it gives for reasons of its own, with their messages. */
  errors?: Partial<Record<ErrorCode, readonly string[]>>;
  /** Response headers of 200 beside those of every answer. */
  headers?: readonly ('ETag' | 'Link')[];
  /** Path parameters that are not prefilled: the operation would destroy what they name. */
  bare?: boolean;
}
