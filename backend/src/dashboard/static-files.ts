import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getMimeType } from 'hono/utils/mime';
import type { Pages } from '../api/services.ts';
import { ApiError } from '../http/api-error.ts';

const ASSETS_FOLDER = new URL('assets/', import.meta.url);

/** Static files by name, read at startup. The first four files are shared with the extension. */
const FILES = new Map<string, Buffer>([
  ...['tokens.css', 'base.css', 'menu.css', 'page.css', 'icon.svg'].map((name) =>
    load(name, import.meta.resolve(`@terse/design/${name}`)),
  ),
  ...readdirSync(ASSETS_FOLDER).map((name) => load(name, new URL(name, ASSETS_FOLDER))),
]);

/**
 * Hash that is part of the URL of every file. Browsers can cache the files forever, because the URLs change with
 * every update.
 */
const VERSION = [...FILES.values()]
  .reduce((hash, file) => hash.update(file), createHash('sha256'))
  .digest('hex')
  .slice(0, 12);

/**
 * Returns the URL of a static file. All static files are served from the same directory, because they import each
 * other by file name.
 */
export function assetUrl(name: string): string {
  if (!FILES.has(name)) throw new Error(`There is no asset ${name}.`);
  return `/assets/${VERSION}/${name}`;
}

export function addStaticFiles(pages: Pages): void {
  pages.get('/assets/:version/:name', (context) => {
    const { version, name } = context.req.param();
    const file = version === VERSION ? FILES.get(name) : undefined;
    if (!file) throw new ApiError('not_found');
    const headers = { 'Content-Type': getMimeType(name) ?? '', 'Cache-Control': 'public, max-age=31536000, immutable' };
    return context.body(new Uint8Array(file), 200, headers);
  });
}

function load(name: string, url: string | URL): [string, Buffer] {
  return [name, readFileSync(new URL(url))];
}
