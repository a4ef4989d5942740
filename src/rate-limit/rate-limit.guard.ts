import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../auth/actor.js';
import { RateLimit } from './rate-limit.js';

type KnownRequest = FastifyRequest & { user?: Pick<Actor, 'id' | 'charge'> };

/** Counts the requests of known callers. A guard that runs after authentication. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limit: RateLimit) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (!this.limit.enabled) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<KnownRequest>();
    const { user } = request;
    if (user === undefined) return true;
    const reply = http.getResponse<FastifyReply>();
    request.countedFor = 'user';
    const charges = new LaterCharges(this.limit, reply, user.id);
    request.laterCharges = charges;
    user.charge = (points) => charges.add(points);
    return this.limit.count(reply, 'user', user.id);
  }
}

/** A list in the body whose elements make an operation cost more. */
interface Cost {
  /** Name of the list in the body. */
  list: string;
  /** Name of the list in each element that counts as well, on all levels. */
  below?: string;
  /** Number of elements that cost one point. */
  per: number;
}

const COST = Symbol('cost');

/** The additional cost of this operation in the rate limit. Other operations count one. */
export const Costs = (cost: Cost) => SetMetadata(COST, cost);

/** Counts the cost of an operation by its body. A guard that runs after the one that reads the body. */
@Injectable()
export class RateLimitCostGuard implements CanActivate {
  constructor(
    private readonly limit: RateLimit,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const cost = this.reflector.get<Cost | undefined>(COST, context.getHandler());
    if (!cost || !this.limit.enabled) return true;
    const http = context.switchToHttp();
    const { body, user } = http.getRequest<KnownRequest>();
    const points = Math.floor(elementsOf(body, cost) / cost.per);
    if (user === undefined || points === 0) return true;
    return this.limit.charge(http.getResponse<FastifyReply>(), user.id, points);
  }
}

/** The number of elements in the list. Only the size of the body has been checked. */
function elementsOf(body: unknown, { list, below }: Cost): number {
  let count = 0;
  const open = [listOf(body, list)];
  for (let elements = open.pop(); elements; elements = open.pop()) {
    count += elements.length;
    if (below === undefined) continue;
    for (const element of elements) {
      const more = listOf(element, below);
      if (more.length > 0) open.push(more);
    }
  }
  return count;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = (value as Record<string, unknown> | null | undefined)?.[name];
  return Array.isArray(list) ? list : [];
}

/** The cost of a request's work whose size was not known when the request was counted. */
export class LaterCharges {
  private points = 0;
  private isSettled = false;

  constructor(
    private readonly limit: RateLimit,
    private readonly reply: FastifyReply,
    private readonly user: string,
  ) {}

  add(points: number): void {
    this.points += points;
    // The request has its response already, for example because it took too long.
    if (this.isSettled) void this.count();
  }

  /** Counts everything before the headers are sent, so that they show it. @returns null: nothing to count */
  settle(): Promise<void> | null {
    this.isSettled = true;
    return this.points > 0 ? this.count() : null;
  }

  private count(): Promise<void> {
    const { points } = this;
    this.points = 0;
    return this.limit.chargeForDone(this.reply, this.user, points);
  }
}
