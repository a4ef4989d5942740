import { somebody, startService } from '../support/app.js';
import { aTeam } from '../support/builders.js';
import { createTestDatabase } from '../support/database.js';
import { sql } from '../support/sql.js';

interface Times {
  createdAt: string;
  meta: { slug: string };
}

test('times are right where the database has another time zone and another way to write dates', async () => {
  const database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await sql(database.url, `ALTER DATABASE ${name} SET timezone = 'Asia/Kolkata'`);
  await sql(database.url, `ALTER DATABASE ${name} SET datestyle = 'SQL, DMY'`);
  const service = await startService({}, database.url);
  try {
    const ada = service.as(somebody());
    const start = Date.now() - 1000;
    const team = await aTeam(ada);
    const path = `/teams/${team}/workspaces`;
    const made = (await ada.post(path, { name: 'Notes' })).body as Times;
    const items = `${path}/${made.meta.slug}/collections`;
    const item = (await ada.post(items, { name: 'Page', object: 'item' })).body as Times;
    const listed = [
      (await ada.get(`/teams/${team}`)).body as Times,
      ((await ada.get(path)).body as Times[])[0],
      (await ada.get(`${path}/${made.meta.slug}`)).body as Times,
      ((await ada.get(items)).body as Times[])[0],
    ];
    const times = [made, item, ...listed].map((record) => Date.parse(record?.createdAt ?? ''));
    for (const time of times) {
      expect(time).toBeGreaterThan(start);
      expect(time).toBeLessThan(Date.now() + 1000);
    }
    expect(times[3]).toBe(times[0]);
    const [row] = await sql<{ seconds: number }>(
      database.url,
      'SELECT extract(epoch FROM now() - created_at)::float AS seconds FROM workspaces',
    );
    expect(row?.seconds).toBeLessThan(60);
  } finally {
    await service.stop();
    await database.drop();
  }
});
