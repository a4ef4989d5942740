import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import type { Actor } from './actor.js';
import { readClaims } from './claims.js';
import { keySource } from './key-source.js';
import { UsersService } from './users.service.js';

/** Seconds by which the clocks of provider and service may differ. */
const CLOCK_TOLERANCE = 30;

/** Verifies bearer tokens; the allowed algorithms follow from the configured key, never the token. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'token') {
  constructor(
    @Inject(CONFIG) config: Config,
    private readonly users: UsersService,
  ) {
    const source = keySource(config);
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider: source.provide,
      algorithms: source.algorithms,
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE },
      ...(config.issuer && { issuer: config.issuer }),
      ...(config.audience && { audience: config.audience }),
    });
  }

  validate(payload: Record<string, unknown>): Promise<Actor> {
    return this.users.identify(readClaims(payload));
  }
}
