import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Memo } from './memo.js';

const OURS = fileURLToPath(new URL('../assets/', import.meta.url));
const { resolve } = createRequire(import.meta.url);
const SWAGGER_UI = join(resolve('swagger-ui-dist/package.json'), '..');
const SCALAR = join(resolve('@scalar/fastify-api-reference'), '..', 'js');

const JS = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

interface Source {
  file: string;
  type: string;
  edit?: (text: string) => string;
}

/** The files of the documentation, by their address; none comes from another host. */
export const ASSETS: Record<string, Source> = {
  'docs/swagger-ui.css': { file: join(SWAGGER_UI, 'swagger-ui.css'), type: CSS },
  'docs/swagger-ui-bundle.js': { file: join(SWAGGER_UI, 'swagger-ui-bundle.js'), type: JS },
  'docs/oauth2-redirect.js': { file: join(SWAGGER_UI, 'oauth2-redirect.js'), type: JS },
  'docs/oauth2-redirect.html': {
    file: join(SWAGGER_UI, 'oauth2-redirect.html'),
    type: 'text/html; charset=utf-8',
  },
  'docs/swagger-init.js': { file: join(OURS, 'swagger-init.js'), type: JS },
  'docs/docs.css': { file: join(OURS, 'docs.css'), type: CSS },
  'reference/scalar.js': {
    file: join(SCALAR, 'standalone.js'),
    type: JS,
    // It checks whether it may evaluate strings, and works without; the Content-Security-Policy
    // forbids it, which the browser would report on the console each time.
    edit: (text) => text.replace('try{return new Function(""),!0}catch(e){return!1}', 'return!1'),
  },
  'reference/reference.css': { file: join(OURS, 'reference.css'), type: CSS },
  'reference/reference-init.js': { file: join(OURS, 'reference-init.js'), type: JS },
  'site.css': { file: join(OURS, 'site.css'), type: CSS },
  'manual/manual.css': { file: join(OURS, 'manual.css'), type: CSS },
  'manual/contents.css': { file: join(OURS, 'contents.css'), type: CSS },
  'manual/manual.js': { file: join(OURS, 'manual.js'), type: JS },
  'favicon.svg': { file: join(OURS, 'favicon.svg'), type: 'image/svg+xml' },
  'favicon.ico': { file: join(OURS, 'favicon.ico'), type: 'image/x-icon' },
};

type Compression = 'br' | 'gzip';
type Encoding = Compression | 'identity';

/** The best one first. */
const ENCODINGS: Encoding[] = ['br', 'gzip', 'identity'];

/** What the build has compressed (pack-assets.ts); sources that run as they are have none. */
export const PACKED = fileURLToPath(new URL('./packed/', import.meta.url));

/** By its version: what was compressed of another content is never sent. */
export const packedFile = (version: string, encoding: Compression): string =>
  join(PACKED, `${version}.${encoding}`);

/** A file in memory; compressed by the build, otherwise once for each requested encoding. */
export class Asset {
  private readonly packed = new Memo();

  private constructor(
    private readonly content: Buffer,
    readonly type: string,
    /** A hash of the content. */
    readonly version: string,
  ) {}

  static of(text: string | Buffer, type: string): Asset {
    const content = typeof text === 'string' ? Buffer.from(text) : text;
    const version = createHash('sha256').update(content).digest('base64url').slice(0, 16);
    return new Asset(content, type, version);
  }

  static async read({ file, type, edit }: Source): Promise<Asset> {
    const content = await readFile(file);
    return Asset.of(edit ? edit(content.toString()) : content, type);
  }

  as(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return Promise.resolve(this.content);
    const compress = () => COMPRESS[encoding](this.content);
    return this.packed.get(encoding, () =>
      readFile(packedFile(this.version, encoding)).catch(compress),
    );
  }
}

const brotli = promisify(brotliCompress);
const COMPRESS: Record<Compression, (content: Buffer) => Promise<Buffer>> = {
  // Quality 9 of 11: a megabyte takes a fifth of a second.
  br: (content) => brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (content) => promisify(gzip)(content, { level: 9 }),
};

/** A year, for addresses with a version. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Sends a file with its validator, in an encoding that the caller accepts. */
export type SendAsset = (
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
) => Promise<FastifyReply>;

/** @param matches whether an `If-None-Match`, which may be absent, lists a tag */
export const assetSender =
  (matches: (ifNoneMatch: string | undefined, etag: string) => boolean): SendAsset =>
  async (request, reply, asset) => {
    const { v } = request.query as { v?: unknown };
    const encoding = negotiate(request.headers['accept-encoding'] ?? '', ENCODINGS) ?? 'identity';
    const etag = `"${asset.version}-${encoding}"`;
    reply
      .header('vary', 'accept-encoding')
      .header('etag', etag)
      .header('cache-control', v === asset.version ? FOR_EVER : 'public, no-cache');
    if (matches(request.headers['if-none-match'], etag)) return reply.status(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.type(asset.type).send(await asset.as(encoding));
  };
