import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtStrategy } from './jwt.strategy.js';
import { MeController } from './me.controller.js';
import { TokenGuard } from './token.guard.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  controllers: [MeController],
  providers: [
    JwtStrategy,
    UsersRepository,
    UsersService,
    { provide: APP_GUARD, useClass: TokenGuard },
  ],
})
export class AuthModule {}
