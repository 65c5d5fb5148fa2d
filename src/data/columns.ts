import type { Field } from './contents.ts';

/** What exports call a field, the surest name first; as `plain` writes names. */
const NAMES: Record<Field, string[]> = {
  shortUrl: [
    'shorturl',
    'shortlink',
    'shortenedurl',
    'shortened',
    'secureshorturl',
    'tinyurl',
    'bitlink',
    'short',
    'link',
  ],
  url: [
    'longurl',
    'longlink',
    'originalurl',
    'original',
    'destinationurl',
    'destination',
    'targeturl',
    'target',
    'url',
  ],
  title: ['title', 'name', 'description', 'comment', 'notes', 'note'],
  createdAt: ['createdat', 'created', 'creationdate', 'createddate', 'datecreated', 'createdon', 'timestamp', 'date'],
};

/** Which of a table's columns are what, whatever case, spaces and signs their names have. */
export function recognize(headers: string[]): Partial<Record<Field, string>> {
  const byName = new Map(headers.toReversed().map((header) => [plain(header), header]));
  const found: Partial<Record<Field, string>> = {};
  for (const field of Object.keys(NAMES) as Field[]) {
    const name = NAMES[field].find((one) => byName.has(one));
    const header = name && byName.get(name);
    if (name && header !== undefined) found[field] = header;
    // A column is taken once: `url` for the long URL alone.
    if (name) byName.delete(name);
  }
  return found;
}

/** "Long URL", "long_url" and "longUrl" are one name. */
function plain(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
