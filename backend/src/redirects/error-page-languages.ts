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

export function isRightToLeft(language: Language): boolean {
  return language === 'ar' || language === 'he';
}

const TAGS = Object.keys(LANGUAGES) as [Language, ...Language[]];

/** Old language tags that some browsers still send, such as `iw` for Hebrew. */
const OTHER_NAMES: ReadonlyMap<string, Language> = new Map([['iw', 'he']]);

/** Maximum number of characters of an `Accept-Language` header that are parsed. Real headers are shorter. */
const MAX_HEADER_LENGTH = 500;

/**
 * Returns the best language for an `Accept-Language` header (RFC 9110, section 12.5.4).
 *
 * If a language is not available, a related one is used, such as German for `de-AT` or Brazilian Portuguese for
 * `pt-PT`. If no language matches, English is used, even if the header excludes English.
 */
export function chooseLanguage(header: string | undefined): Language {
  const [standard] = TAGS;
  if (!header) return standard;
  const ranges = parseAccept(header.slice(0, MAX_HEADER_LENGTH)).map(({ type, q }) => ({
    range: type.toLowerCase(),
    q,
  }));
  const excluded = new Set(ranges.filter(({ q }) => q === 0).map(({ range }) => range));
  const isExcluded = (tag: Language) => excluded.has(tag.toLowerCase()) || excluded.has(primaryOf(tag));
  for (const { range, q } of ranges) {
    const found = q > 0 && (range === '*' ? TAGS.find((tag) => !isExcluded(tag)) : languageOf(range));
    if (found && !isExcluded(found)) return found;
  }
  return standard;
}

function languageOf(range: string): Language | undefined {
  const primary = primaryOf(range);
  return (
    TAGS.find((tag) => tag.toLowerCase() === range) ??
    TAGS.find((tag) => primaryOf(tag) === primary) ??
    OTHER_NAMES.get(primary)
  );
}

/** Returns the primary language of a language tag, such as `pt` for `pt-BR`. */
function primaryOf(tag: string): string {
  return (tag.split('-', 1)[0] as string).toLowerCase();
}
