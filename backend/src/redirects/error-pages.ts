import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseAccept } from 'hono/utils/accept';
import { type Config, ConfigError, type PageSource } from '../config/environment.ts';
import ar from './languages/ar.json' with { type: 'json' };
import de from './languages/de.json' with { type: 'json' };
import en from './languages/en.json' with { type: 'json' };
import es from './languages/es.json' with { type: 'json' };
import fr from './languages/fr.json' with { type: 'json' };
import he from './languages/he.json' with { type: 'json' };
import it from './languages/it.json' with { type: 'json' };
import ja from './languages/ja.json' with { type: 'json' };
import ko from './languages/ko.json' with { type: 'json' };
import pl from './languages/pl.json' with { type: 'json' };
import ptBR from './languages/pt-BR.json' with { type: 'json' };
import zhCN from './languages/zh-CN.json' with { type: 'json' };

/** Names of the pages that visitors see if a short URL does not work. */
export type PageName = keyof typeof en;

export interface Words {
  title: string;
  sentence: string;
}

/** Text of all pages, by language code (BCP 47). If no language matches, the first language is used. */
export const LANGUAGES = {
  en,
  de,
  fr,
  es,
  it,
  'pt-BR': ptBR,
  pl,
  ja,
  ko,
  'zh-CN': zhCN,
  ar,
  he,
} satisfies Record<string, Record<PageName, Words>>;

export type Language = keyof typeof LANGUAGES;

const TAGS = Object.keys(LANGUAGES) as Language[];

/** Maximum number of characters of an `Accept-Language` header that are parsed. Real headers are shorter. */
const MAX_HEADER_LENGTH = 500;

/**
 * Returns the best language for an `Accept-Language` header (RFC 9110, section 12.5.4).
 *
 * If a language is not available, a related one is used, such as German for `de-AT` or Brazilian Portuguese for
 * `pt-PT`. If no language matches, English is used.
 */
export function chooseLanguage(header: string | undefined): Language {
  for (const { type, q } of parseAccept((header ?? '').slice(0, MAX_HEADER_LENGTH))) {
    const found = q > 0 && languageOf(type.toLowerCase());
    if (found) return found;
  }
  return 'en';
}

function languageOf(range: string): Language | undefined {
  const primary = primaryOf(range);
  return TAGS.find((tag) => tag.toLowerCase() === range) ?? TAGS.find((tag) => primaryOf(tag) === primary);
}

/** Returns the primary language of a language tag, such as `pt` for `pt-BR`. */
function primaryOf(tag: string): string {
  return (tag.split('-', 1)[0] as string).toLowerCase();
}

/** Custom page of the operator, either as HTML or as a URL to which visitors are redirected. */
export type OwnPage = { html: Buffer } | { url: string };

/** Pages that the operator can replace. If a value is null, the default page is used. */
export interface OwnPages {
  unknown: OwnPage | null;
  gone: OwnPage | null;
}

/** Sends an error page to a visitor whose short URL does not work. */
export type SendPage = (
  request: IncomingMessage,
  response: ServerResponse,
  name: PageName,
  headers?: Record<string, string | number>,
) => void;

const STATUS: Record<PageName, number> = {
  unknown: 404,
  unknownHost: 421,
  wrongMethod: 405,
  gone: 410,
  blocked: 410,
  throttled: 429,
  failed: 503,
};

const STYLE = `
  :root { color-scheme: light dark; }
  body {
    display: grid; place-content: center; min-height: 100vh; margin: 0; padding: 2rem; box-sizing: border-box;
    font: 1.0625rem/1.5 system-ui, sans-serif; text-align: center;
    color: light-dark(#1c1f24, #e8eaed); background: light-dark(#fafafa, #16181c);
  }
  h1 { margin: 0 0 .5rem; font-size: 1.5rem; }
  p { margin: 0; max-width: 32rem; color: light-dark(#555b65, #a5abb5); }
  h1, p { text-wrap: balance; }
  :lang(ja) { word-break: auto-phrase; }
  :lang(ko) { word-break: keep-all; }
`;

/**
 * Returns a Content Security Policy that allows only the given style. Requests to other hosts are blocked for
 * privacy.
 */
const policy = (style: string) =>
  `default-src 'none'; style-src ${style}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy(`'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
};

/**
 * Headers for a page that the operator provides. Styles, images and fonts are allowed only if they are inside the
 * page itself.
 */
const OWN_HEADERS = {
  ...HEADERS,
  'Content-Security-Policy': `${policy("'unsafe-inline'")}; img-src data:; font-src data:`,
};

/** Creates the pages in all languages at startup, so that they are not created for each visitor. */
export function createPages(own: OwnPages): SendPage {
  const bodies = Object.fromEntries(
    Object.entries(LANGUAGES).map(([tag, pages]) => [tag, bodiesIn(tag as Language, pages)]),
  ) as Record<Language, Record<PageName, Buffer>>;

  return (request, response, name, headers = {}) => {
    const replaced = name === 'unknown' || name === 'gone' ? own[name] : null;
    if (replaced && 'url' in replaced) {
      response.writeHead(302, {
        Location: replaced.url,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'Content-Length': 0,
      });
      response.end();
      return;
    }
    const language = chooseLanguage(request.headers['accept-language']);
    const body = replaced ? replaced.html : bodies[language][name];
    const kind = replaced ? OWN_HEADERS : { ...HEADERS, 'Content-Language': language, Vary: 'Accept-Language' };
    response.writeHead(STATUS[name], { ...kind, ...headers, 'Content-Length': body.byteLength });
    response.end(body);
  };
}

function bodiesIn(language: Language, pages: Record<PageName, Words>): Record<PageName, Buffer> {
  const entries = Object.entries(pages).map(([name, words]) => [name, Buffer.from(pageText(language, words))]);
  return Object.fromEntries(entries) as Record<PageName, Buffer>;
}

/** The texts need no escaping, because they are part of the program. A test ensures that they contain no markup. */
function pageText(language: Language, { title, sentence }: Words): string {
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' || language === 'he' ? 'rtl' : 'ltr'}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
<main>
  <h1>${title}</h1>
  <p>${sentence}</p>
</main>
</html>
`;
}

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
  if (!isUtf8(html)) throw new ConfigError([`${setting}, ${path}: the file is not text in UTF-8.`]);
  return { html };
}
