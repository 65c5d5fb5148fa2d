import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ImportFile } from '../../src/dashboard/import/file.ts';
import type { Visitor } from './visitor.ts';

/** A file as an import reads it, which remembers how far it was read. */
export function fileOf(...parts: (string | Uint8Array)[]): ImportFile & { furthest: number } {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return {
    size: bytes.length,
    furthest: 0,
    async read(from, to) {
      this.furthest = Math.max(this.furthest, Math.min(to, this.size));
      return bytes.subarray(from, to);
    },
  };
}

/** Uploads a file, waits until its import is finished, and returns the import's page. */
export async function importFile(visitor: Visitor, content: string, name = 'links.csv'): Promise<string> {
  for (;;) {
    const answer = await visitor.upload('/links/import', name, content);
    // An import counts as finished a moment before the next one may start.
    if ((await answer.text()).includes('Another of your imports is still running.')) continue;
    expect(answer.status).toBe(303);
    return outcomePage(visitor, answer.headers.get('location') ?? '');
  }
}

/** Waits until an import is at its end, and returns its page. */
export async function outcomePage(visitor: Visitor, path: string): Promise<string> {
  for (;;) {
    const html = await visitor.page(path);
    if (!html.includes('data-import=')) return html;
    await pause(5);
  }
}

/** The counts on an import's page, by their names. */
export function outcome(html: string): Record<string, string> {
  const counts = html.matchAll(/<dt>([^<]+)<\/dt><dd><span[^>]*>([\d,]+)<\/span>([^<]*)<\/dd>/g);
  return Object.fromEntries([...counts].map(([, name, count, more]) => [name, `${count}${more}`]));
}

/** Line, link and problem of each row that an import's page lists. */
export function problems(html: string): string[][] {
  const rows = html.matchAll(/<tr><td>(\d+)<\/td><td[^>]*><bdi>([^<]*)<\/bdi><\/td><td>([^<]+)</g);
  return [...rows].map((found) => found.slice(1));
}
