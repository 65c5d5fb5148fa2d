import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { ApiError } from '../../http/api-error.ts';
import type { Env } from '../endpoint.ts';

const compress = promisify(gzip);

/** Files of the API documentation, by their names in the URL. The documentation loads nothing from other hosts. */
const FILES = {
  'swagger-ui.css': import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  'swagger-ui-bundle.js': import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  'tokens.css': import.meta.resolve('@terse/design/tokens.css'),
  'icon.svg': import.meta.resolve('@terse/design/icon.svg'),
  'reference.css': import.meta.resolve('./docs-page.css'),
  'reference.js': import.meta.resolve('./docs-page.js'),
} as const;

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
} as const;

interface Asset {
  type: string;
  version: string;
  /**
   * Reads the uncompressed file from the disk. Only the compressed file stays in memory, because nearly all clients
   * accept gzip.
   */
  plain(): Promise<Uint8Array<ArrayBuffer>>;
  gzipped: Uint8Array<ArrayBuffer>;
}

/**
 * Returns a function that finds a file by its name. Each file is loaded on its first request. The result for an
 * unknown name is null.
 */
function createAssets(): (name: string) => Promise<Asset> | null {
  const loaded = new Map<string, Promise<Asset>>();
  return (name) => {
    if (!Object.hasOwn(FILES, name)) return null;
    const asset = loaded.get(name) ?? load(name as keyof typeof FILES);
    loaded.set(name, asset);
    return asset;
  };
}

async function load(name: keyof typeof FILES): Promise<Asset> {
  const plain = async () => new Uint8Array(await readFile(new URL(FILES[name])));
  const bytes = await plain();
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1) as keyof typeof TYPES];
  return { type, version, plain, gzipped: new Uint8Array(await compress(bytes)) };
}

function docsPage() {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Terse API</title>
<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/tokens.css">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/reference.js" type="module"></script>
</head>
<body>
<header>
<a href="/"><img src="/docs/icon.svg" width="24" height="24" alt="">Terse</a>
<a href="/openapi.json">OpenAPI document</a>
</header>
<div id="reference">
<noscript><main><p>This page needs JavaScript. The <a href="/openapi.json">OpenAPI document</a> contains the same information.</p></main></noscript>
</div>
</body>
</html>
`;
}

/**
 * Content Security Policy that allows only files from this host, and the `data:` images in Swagger UI's style sheet.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
};

export function createDocsPage(): Hono<Env> {
  const app = new Hono<Env>();
  const assets = createAssets();
  app.use('/docs/:name?', (context, next) => {
    context.set('route', '/docs');
    return next();
  });
  app.get('/docs', (context) => context.html(docsPage(), 200, PAGE_HEADERS));
  app.get('/docs/:name', async (context) => {
    const asset = await assets(context.req.param('name'));
    if (!asset) return context.notFound();
    const etag = `"${asset.version}"`;
    // The URL of a file does not change with its content, so browsers must check whether their cached copy is
    // current. If the copy is current, the response is 304.
    const headers = { ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };
    if (context.req.header('If-None-Match') === etag) return context.body(null, 304, headers);
    const type = { ...headers, 'Content-Type': asset.type };
    return acceptsGzip(context)
      ? context.body(asset.gzipped, 200, { ...type, 'Content-Encoding': 'gzip' })
      : context.body(await asset.plain(), 200, type);
  });
  app.all('/docs/:name?', () => {
    throw new ApiError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
  });
  return app;
}

function acceptsGzip(context: Context<Env>): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(context.req.header('Accept-Encoding') ?? '');
}
