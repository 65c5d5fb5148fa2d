import { parseAccept } from 'hono/utils/accept';
import { LANGUAGES, type Language } from './languages.ts';

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
