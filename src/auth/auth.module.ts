import { Module } from '@nestjs/common';
import { JwtStrategy } from './jwt.strategy.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';
import { VerifiedTokens } from './verified-tokens.js';

@Module({
  providers: [JwtStrategy, UsersRepository, UsersService, VerifiedTokens],
  exports: [JwtStrategy, UsersRepository, UsersService, VerifiedTokens],
})
export class AuthModule {}
