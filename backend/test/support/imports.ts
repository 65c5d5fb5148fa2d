import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { openImportFile, readLinks } from '../../src/import/open-file.ts';
import { previewImport } from '../../src/import/preview-import.ts';
import { FileProblem } from '../../src/import/read-records.ts';
import type { ImportRules } from '../../src/import/record-to-link.ts';
import { NOON } from './store.ts';
import type { Visitor } from './visitor.ts';

type Content = string | Uint8Array<ArrayBuffer>;

/** Uploads a file and returns the preview of its import. */
export async function preview(visitor: Visitor, content: Content, name = 'links.csv'): Promise<string> {
  for (;;) {
    const answer = await visitor.upload('/links/import', name, content);
    const html = await answer.text();
    // The server notices slightly later that the connection of an earlier upload was closed.
    if (html.includes('Another import is still running.')) continue;
    expect(answer.status).toBe(200);
    return html;
  }
}

/** Returns the fields of a preview's form with their initial values. */
export function formFields(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input ([^>]*)>/g)].map(([, attributes = '']) => attributes);
  const sent = inputs.filter((input) => /type="hidden"|checked/.test(input));
  const attribute = (input: string, name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(input)?.[1] ?? '';
  return Object.fromEntries(sent.map((input) => [attribute(input, 'name'), attribute(input, 'value')]));
}

/** Starts an import from its preview page. */
export function startImport(visitor: Visitor, html: string): Promise<Response> {
  return visitor.post('/links/import/start', formFields(html));
}

/** Uploads a file and starts its import. Returns the path of the import's page. */
export async function beginImport(visitor: Visitor, content: Content, name?: string): Promise<string> {
  const answer = await startImport(visitor, await preview(visitor, content, name));
  expect(answer.status).toBe(303);
  return answer.headers.get('location') ?? '';
}

/** Imports a file with the options that its preview suggests. Returns the page of the finished import. */
export async function importFile(visitor: Visitor, content: Content, name?: string): Promise<string> {
  return outcomePage(visitor, await beginImport(visitor, content, name));
}

/** Waits until an import has finished. Returns its page. */
export async function outcomePage(visitor: Visitor, path: string): Promise<string> {
  for (;;) {
    const html = await visitor.page(path);
    if (!html.includes('data-importing')) return html;
    await pause(5);
  }
}

/** Returns the numbers on an import's page by name. */
export function outcome(html: string): Record<string, string> {
  const counts = html.matchAll(/<dt>([^<]+)<\/dt><dd>([\d,]+)([^<]*)<\/dd>/g);
  return Object.fromEntries([...counts].map(([, name, count, more]) => [name, `${count}${more}`]));
}

/** Returns the line, link and problem of each row error on an import's page. */
export function problems(html: string): string[][] {
  const rows = html.matchAll(/<tr><td>(\d+)<\/td><td[^>]*><bdi>([^<]*)<\/bdi><\/td><td>([^<]+)</g);
  return [...rows].map((found) => found.slice(1));
}

/** Rules of an import by the owner of a service. */
export const RULES: ImportRules = {
  targets: { ownUrls: [], allowPrivate: false, maxUrlBytes: 8192, blocks: () => false },
  shortBaseUrls: ['https://t.example'],
  foldsCase: false,
  random: systemRandom,
  mayUseReserved: true,
};

export interface LinkOutcome {
  at: number;
  domain?: string | null;
  code: string | null;
  url?: string;
  title?: string;
  createdAt?: string | null;
  expiresAt?: string | null;
  clicks?: number;
  tags?: string[];
  forwardQuery?: boolean;
  problem?: string;
}

/** Previews a file. */
export async function surveyOf(...parts: (string | Uint8Array)[]) {
  const file = await openImportFile(Buffer.concat(parts.map((part) => Buffer.from(part as string))));
  return { file, preview: await previewImport(file, RULES, NOON) };
}

/** Returns everything that an import finds in a file, or the error message if the import refuses the file. */
export async function outcomeOf(...parts: (string | Uint8Array)[]) {
  try {
    const { file } = await surveyOf(...parts);
    const links: LinkOutcome[] = [];
    for (const row of (await Array.fromAsync(readLinks(file, RULES, NOON))).flat()) {
      const { at, subject, source } = row;
      const problem = 'problem' in row ? { problem: row.problem } : {};
      if (!source) {
        links.push({ at, code: subject, ...problem });
        continue;
      }
      const { domain, code, url, title, createdAt, expiresAt, clicks, tags, forwardQuery } = source;
      const times = { createdAt: timeOf(createdAt), expiresAt: timeOf(expiresAt) };
      const more = {
        ...(clicks > 0 && { clicks }),
        ...(tags.length > 0 && { tags }),
        ...(forwardQuery !== null && { forwardQuery }),
      };
      links.push({ at, domain, code, url, title, ...times, ...more, ...problem });
    }
    return { format: file.format.name, links };
  } catch (error) {
    if (error instanceof FileProblem) return error.message;
    throw error;
  }
}

function timeOf(instant: number | 'invalid' | null): string | null {
  return typeof instant === 'number' ? new Date(instant).toISOString() : instant;
}
