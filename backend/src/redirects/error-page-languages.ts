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

/** The pages that a visitor of a short URL may meet, by what happened. */
export type PageName = keyof typeof en;

/** What one page says. */
export interface Words {
  title: string;
  sentence: string;
}

/** Every page in every language, by the language's tag (BCP 47). The first one is for whoever reads none of them. */
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

/** Whether a language is written from right to left. */
export function isRightToLeft(language: Language): boolean {
  return language === 'ar' || language === 'he';
}

const TAGS = Object.keys(LANGUAGES) as [Language, ...Language[]];

/** Languages that go by another name, too: browsers on old systems still say `iw` for Hebrew. */
const OTHER_NAMES: ReadonlyMap<string, Language> = new Map([['iw', 'he']]);

/** More of the header than any browser sends is not looked at, in characters. */
const MOST_READ = 500;

/**
 * The language for an `Accept-Language` header (RFC 9110, section 12.5.4). A range matches by its language alone where no
 * language matches it whole: `de-AT` reads German, `pt-PT` Brazilian Portuguese, `zh-TW` Simplified Chinese, since a near
 * relative is read more easily than English. Whoever reads none of ours gets English, even where that is excluded.
 */
export function chooseLanguage(header: string | undefined): Language {
  const [standard] = TAGS;
  if (!header) return standard;
  const ranges = parseAccept(header.slice(0, MOST_READ)).map(({ type, q }) => ({ range: type.toLowerCase(), q }));
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

/** The language without script and region: `pt` of `pt-BR`. */
function primaryOf(tag: string): string {
  return (tag.split('-', 1)[0] as string).toLowerCase();
}
