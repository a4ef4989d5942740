import type { ArgumentsHost } from '@nestjs/common';
import type { Actor } from '../auth/actor.js';

/** What a replay asks of those who know teams and workspaces. */
export abstract class PresentAccess {
  /**
   * Passes where the caller may still read the team or workspace that the request names.
   * @throws DomainError forbidden, not_found
   */
  abstract assertMayRead(actor: Actor, host: ArgumentsHost): Promise<void>;

  /** A kept answer without what its caller may no longer see. */
  abstract asSeenNow(actor: Actor, answer: string): Promise<string>;
}
