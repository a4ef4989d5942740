import { rmSync } from 'node:fs';
import { transpileSources } from './transpile.js';

// Prints the OpenAPI document of the sources, which are not built for it: their build requires the types of the API.
//
//     node bin/document.js

// Of a service that does not listen: it connects to no database, and accepts no token.
const ENV = {
  DATABASE_URL: 'postgresql://127.0.0.1/none',
  AUTH_JWT_SECRET: '-'.repeat(32),
  LOG_LEVEL: 'fatal',
};

const folder = await transpileSources();
try {
  const [{ createApp }, { loadConfig }, { createDocument }] = await Promise.all(
    ['app', 'config/config', 'openapi/document'].map((name) => import(`${folder}/${name}.js`)),
  );
  const config = loadConfig(ENV);
  const app = await createApp(config);
  process.stdout.write(JSON.stringify(createDocument(app, config)));
  await app.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
