import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import { html } from 'hono/html';
import { getMimeType } from 'hono/utils/mime';
import { ApiError, NO_CONTENT_POLICY } from '../../http/api-error.ts';
import type { Env } from '../services.ts';

/** Files of the API documentation, by their names in the URL. The documentation loads nothing from other hosts. */
const FILES = {
  'swagger-ui.css': import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  'swagger-ui-bundle.js': import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  'tokens.css': import.meta.resolve('@terse/design/tokens.css'),
  'icon.svg': import.meta.resolve('@terse/design/icon.svg'),
  'reference.css': import.meta.resolve('./docs-page.css'),
  'reference.js': import.meta.resolve('./docs-page.js'),
} as const;

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
  NO_CONTENT_POLICY,
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
].join('; ');

const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
};

export function createDocsPage(): Hono<Env> {
  const app = new Hono<Env>();
  app.use('/docs/:name?', (context, next) => {
    context.set('route', '/docs');
    return next();
  });
  app.get('/docs', (context) => context.html(docsPage(), 200, PAGE_HEADERS));
  app.get('/docs/:name', compress(), etag(), async (context) => {
    const name = context.req.param('name');
    if (!Object.hasOwn(FILES, name)) return context.notFound();
    const file = await readFile(new URL(FILES[name as keyof typeof FILES]));
    // The URL of a file does not change with its content, so browsers must check whether their cached copy is current.
    return context.body(new Uint8Array(file), 200, {
      'Content-Type': getMimeType(name) ?? '',
      'Cache-Control': 'no-cache',
    });
  });
  app.all('/docs/:name?', () => {
    throw new ApiError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
  });
  return app;
}
