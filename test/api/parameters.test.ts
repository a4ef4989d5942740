import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiOkResponse, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { ErrorsFilter } from '../../src/errors/errors.filter.js';
import type { TeamRef } from '../../src/teams/team.js';
import { Team } from '../../src/teams/team-ref.js';
import type { WorkspaceRef } from '../../src/workspaces/workspace.js';
import { Workspace } from '../../src/workspaces/workspace-ref.js';
import { offenders } from '../support/offenders.js';

@Controller('teams/:team_slug')
class EchoController {
  @Get()
  @ApiOkResponse()
  team(@Team() team: TeamRef): TeamRef {
    return team;
  }

  @Get('workspaces/:workspace_slug')
  @ApiOkResponse()
  workspace(@Workspace() workspace: WorkspaceRef): WorkspaceRef {
    return workspace;
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await NestFactory.create(EchoModule, new FastifyAdapter(), { logger: false });
  app.useGlobalFilters(new ErrorsFilter('http://localhost:3000'));
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

const get = async (path: string): Promise<unknown> => {
  const answer = await fetch((await app.getUrl()) + path);
  const body: unknown = await answer.json();
  return answer.status === 200 ? body : [answer.status, body];
};

test('@Team() takes the slug of the path and the id of the query', async () => {
  expect(await get('/teams/acme')).toEqual({ slug: 'acme' });
  expect(await get('/teams/acme?teamId=7&other=x')).toEqual({ slug: 'acme', id: '7' });
});

test('@Workspace() takes both slugs of the path and the id of the query', async () => {
  expect(await get('/teams/acme/workspaces/handbook?teamId=7')).toEqual({
    team: { slug: 'acme', id: '7' },
    slug: 'handbook',
  });
});

test('an empty or repeated teamId is 400', async () => {
  const wrong = await offenders(
    [
      ['teamId=', 'teamId must be at least 1 character'],
      ['teamId=1&teamId=2', 'teamId must be given once'],
    ],
    async ([query, message]) => {
      for (const path of ['/teams/acme', '/teams/acme/workspaces/handbook']) {
        expect(await get(`${path}?${query}`)).toMatchObject([
          400,
          { error: { code: 'bad_request', message } },
        ]);
      }
    },
  );
  expect(wrong).toEqual([]);
});

test('they document the parameters of the path, each once', () => {
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  const names = Object.values(document.paths).map((path) =>
    path.get?.parameters?.map((parameter) => 'name' in parameter && parameter.name),
  );
  expect(names).toEqual([['team_slug'], ['team_slug', 'workspace_slug']]);
});
