import { Module } from '@nestjs/common';
import { JwtStrategy } from './jwt.strategy.js';
import { MeController } from './me.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';
import { VerifiedTokens } from './verified-tokens.js';

@Module({
  controllers: [MeController],
  providers: [JwtStrategy, UsersRepository, UsersService, VerifiedTokens],
  exports: [JwtStrategy, UsersRepository, UsersService, VerifiedTokens],
})
export class AuthModule {}
