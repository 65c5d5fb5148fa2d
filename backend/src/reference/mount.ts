import { type Context, Hono } from 'hono';
import type { Env } from '../routes/endpoint.ts';
import { ApiError } from '../routes/errors.ts';
import { createAssets } from './assets.ts';
import { referencePage } from './page.ts';

/** Nothing but our own files. The viewer's style sheet holds its icons as `data:` images. */
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

/** `GET /docs`: the reference of the API, for people. */
export function createReference(): Hono<Env> {
  const app = new Hono<Env>();
  const assets = createAssets();
  app.use('/docs/:name?', (context, next) => {
    context.set('route', '/docs');
    return next();
  });
  app.get('/docs', (context) => context.html(referencePage(), 200, PAGE_HEADERS));
  app.get('/docs/:name', async (context) => {
    const asset = await assets(context.req.param('name'));
    if (!asset) return context.notFound();
    const etag = `"${asset.version}"`;
    // Its address stays the same, so browsers must ask each time; they get 304 where nothing has changed.
    const headers = { ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };
    if (context.req.header('If-None-Match') === etag) return context.body(null, 304, headers);
    const type = { ...headers, 'Content-Type': asset.type };
    return takesGzip(context)
      ? context.body(asset.gzipped, 200, { ...type, 'Content-Encoding': 'gzip' })
      : context.body(await asset.plain(), 200, type);
  });
  app.all('/docs/:name?', () => {
    throw new ApiError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
  });
  return app;
}

function takesGzip(context: Context<Env>): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(context.req.header('Accept-Encoding') ?? '');
}
