import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOfBlock } from '../docs/markdown.js';
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
export function startCompressingNginx(
  service: string,
  { minLength }: { minLength: number },
): Promise<Nginx> {
  const directives = textOfBlock('docs/deploy.md', 'nginx', 'gzip on');
  return startNginx(
    'http',
    (port) => `server {
      listen 127.0.0.1:${port};
      client_max_body_size 3m;
      ${directives.replace(/(?<=gzip_min_length )\d+/, String(minLength))}
      location / {
        proxy_pass ${service};
        proxy_http_version 1.1;
        proxy_set_header Host $host;
      }
    }`,
  );
}

/** Starts nginx with the server of docs/deploy.md for HTTP/2, and this certificate. */
export function startHttp2Nginx(
  service: string,
  { cert, key }: { cert: Buffer; key: Buffer },
): Promise<Nginx> {
  const server = textOfBlock('docs/deploy.md', 'nginx', 'http2');
  return startNginx('https', async (port, folder) => {
    await writeFile(join(folder, 'cert.pem'), cert);
    await writeFile(join(folder, 'key.pem'), key);
    return server
      .replace('127.0.0.1:3000', new URL(service).host)
      .replace('443', `127.0.0.1:${port}`)
      .replaceAll('/etc/nginx/tls', folder);
  });
}

/** @param serversOf what is in `http`, for a port of 127.0.0.1 and a folder of its own */
async function startNginx(
  scheme: 'http' | 'https',
  serversOf: (port: number, folder: string) => string | Promise<string>,
): Promise<Nginx> {
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
      ${await serversOf(port, folder)}
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
  await until(() => {
    if (child.exitCode !== null) throw new Error(`nginx did not start:\n${output}`);
    return takesConnections(port);
  });
  return {
    url: `${scheme}://127.0.0.1:${port}`,
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

const takesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
