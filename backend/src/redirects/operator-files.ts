import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { type Config, ConfigError, type PageSource } from '../config/environment.ts';
import type { OwnPage, OwnPages } from './error-pages.ts';

/**
 * Maximum size of a page in bytes. Every visitor with a wrong short URL has to load the page, so a larger page is
 * probably a mistake.
 */
const MAX_PAGE_SIZE = 512 * 1024;

/**
 * Reads the error pages that the operator has configured.
 *
 * @throws ConfigError if a file cannot be read or is invalid
 */
export function readOwnPages({ unknownPage, gonePage }: Pick<Config, 'unknownPage' | 'gonePage'>): OwnPages {
  return { unknown: readPage('TERSE_UNKNOWN_PAGE', unknownPage), gone: readPage('TERSE_GONE_PAGE', gonePage) };
}

function readPage(setting: string, source: PageSource | null): OwnPage | null {
  if (source === null || 'url' in source) return source;
  const { path } = source;
  let html: Buffer;
  try {
    html = readFileSync(path);
  } catch (error) {
    throw new ConfigError([`${setting} cannot be read: ${(error as Error).message}.`]);
  }
  if (html.length === 0) throw new ConfigError([`${setting}, ${path}: the file is empty.`]);
  if (html.length > MAX_PAGE_SIZE) throw new ConfigError([`${setting}, ${path}: the file is larger than 512 KiB.`]);
  if (!isUtf8(html)) throw new ConfigError([`${setting}, ${path}: the file is not text in UTF-8.`]);
  return { html };
}
