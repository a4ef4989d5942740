import { Module } from '@nestjs/common';
import { JwtStrategy, VerifiedTokens } from './jwt.strategy.js';
import { UsersService } from './users.service.js';

@Module({
  providers: [JwtStrategy, UsersService, VerifiedTokens],
  exports: [JwtStrategy, UsersService, VerifiedTokens],
})
export class AuthModule {}
