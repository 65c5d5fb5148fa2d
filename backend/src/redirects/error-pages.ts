import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseAccept } from 'hono/utils/accept';
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

/** Hash of the only style that the pages may use. They can load nothing from other hosts, for privacy. */
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
};

/** Creates the pages in all languages at startup, so that they are not created for each visitor. */
export function createPages(): SendPage {
  const bodies = Object.fromEntries(
    Object.entries(LANGUAGES).map(([tag, pages]) => [tag, bodiesIn(tag as Language, pages)]),
  ) as Record<Language, Record<PageName, Buffer>>;

  return (request, response, name, headers = {}) => {
    const language = chooseLanguage(request.headers['accept-language']);
    const body = bodies[language][name];
    const ofLanguage = { 'Content-Language': language, Vary: 'Accept-Language' };
    response.writeHead(STATUS[name], { ...HEADERS, ...ofLanguage, ...headers, 'Content-Length': body.byteLength });
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
