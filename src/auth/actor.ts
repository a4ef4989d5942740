import type { Scope } from './claims.js';

/** The authenticated user on whose behalf a request runs. */
export interface Actor {
  /** Id of the user in this service. */
  id: string;
  /** A service has a synthetic one, at service.invalid. */
  email: string;
  /** False for services and for tokens that say so: the email must not be trusted. */
  emailVerified: boolean;
  name: string;
  /** Address of a picture. */
  image: string | null;
  /** False if the token's scopes exclude `teamspaces:manage`. */
  mayManage: boolean;
  /** Upper bound set by the token, whatever the user's roles are. */
  scope: Scope;
  /** Id of the request: its `X-Request-Id`. */
  requestId: string;
  /**
   * Adds points to the request's cost in the rate limit, for work whose size was not known before. Call
   * it as soon as the size is known, also if the request fails: it never throws, and only refuses later
   * requests.
   */
  charge(points: number): void;
}

/** A user without a request. */
export type User = Omit<Actor, 'requestId' | 'charge'>;
