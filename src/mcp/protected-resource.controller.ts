import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SCOPE_PREFIX, SCOPES } from '../auth/claims.js';
import { Public } from '../auth/token.guard.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { notFound } from '../errors/domain-error.js';
import { MCP_PATH, METADATA_PATH } from './errors.js';

/** Where a client logs its user in (RFC 9728): at the organisation's own provider. */
interface ProtectedResource {
  resource: string;
  authorization_servers: string[];
  scopes_supported: string[];
  bearer_methods_supported: string[];
}

/** With `offline_access`, a client can ask for a refresh token. */
const SCOPES_SUPPORTED = [
  ...SCOPES.filter((scope) => scope !== 'none').map((scope) => SCOPE_PREFIX + scope),
  'offline_access',
];

@ApiExcludeController()
@Controller([METADATA_PATH, METADATA_PATH + MCP_PATH])
export class ProtectedResourceController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** @throws DomainError not_found: no provider is configured, so that nobody can log in */
  @Public()
  @Get()
  @Header('cache-control', 'public, max-age=3600')
  read(): ProtectedResource {
    const { publicUrl, issuer } = this.config;
    if (issuer === null) throw notFound('route');
    return {
      resource: publicUrl + MCP_PATH,
      authorization_servers: [issuer],
      scopes_supported: SCOPES_SUPPORTED,
      bearer_methods_supported: ['header'],
    };
  }
}
