import { Module } from '@nestjs/common';
import { JwtStrategy, VerifiedTokens } from './jwt.strategy.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  providers: [JwtStrategy, UsersRepository, UsersService, VerifiedTokens],
  exports: [JwtStrategy, UsersRepository, UsersService, VerifiedTokens],
})
export class AuthModule {}
