import type { ArgumentsHost } from '@nestjs/common';
import type { Actor } from '../auth/actor.js';
import type { KeyScope } from './once.js';

/** What a replay asks of those who know teams and workspaces. */
export abstract class PresentAccess {
  /**
   * The team and the workspace that the request names now, where its caller may still read them.
   * @throws DomainError forbidden, not_found
   */
  abstract readableScope(actor: Actor, host: ArgumentsHost): Promise<KeyScope>;

  /**
   * A kept answer with the content that was too long to be kept, and without what its caller may no
   * longer see.
   */
  abstract asSeenNow(actor: Actor, answer: string): Promise<string>;
}
