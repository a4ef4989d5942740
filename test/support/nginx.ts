import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '../operate/process.js';
import { findProgram } from './programs.js';

export interface Nginx {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts nginx in front of the service, with the directives that docs/deploy.md gives for compression.
 * @param minLength bytes of the shortest response that is compressed
 */
export async function startCompressingNginx(
  service: string,
  { minLength }: { minLength: number },
): Promise<Nginx> {
  const [, directives = ''] =
    /```nginx\n(.*?)```/s.exec(await readFile('docs/deploy.md', 'utf8')) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'teamspaces-nginx-'));
  const port = await freePort();
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const config = `
    daemon off;
    worker_processes 1;
    pid ${folder}/pid;
    events {}
    http {
      access_log off;
      ${paths.join('\n')}
      server {
        listen 127.0.0.1:${port};
        client_max_body_size 3m;
        ${directives.replace(/(?<=gzip_min_length )\d+/, String(minLength))}
        location / {
          proxy_pass ${service};
          proxy_http_version 1.1;
          proxy_set_header Host $host;
        }
      }
    }`;
  await writeFile(join(folder, 'nginx.conf'), config);
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
  const child = spawn(findProgram('nginx') ?? 'nginx', args, {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (data) => {
    output = `${output}${data}`.slice(-4000);
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx did not start:\n${output}`);
    return (await fetch(`${url}/health/live`).catch(() => null))?.status === 200;
  });
  return {
    url,
    stop: async () => {
      if (child.exitCode === null) {
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        await exit;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
