import { type Fields, type FileRecord, fieldsOf } from './import-file.ts';
import { createJsonScanner } from './json-scanner.ts';

/** What a page says about itself, beside its entries. */
export type OnPage = (page: Fields) => void;

/**
 * Reads JSON entry by entry.
 *
 * @throws FileProblem where it is not JSON, an entry is too long, or the file was cut off
 */
export async function* readJson(text: AsyncIterable<string>, onPage: OnPage): AsyncGenerator<FileRecord> {
  let found: string[] = [];
  let at = 0;
  const scanner = createJsonScanner({
    entry: (entry) => found.push(entry),
    page(skeleton) {
      const page = fieldsOf(parsed(skeleton));
      if (page) onPage(page);
    },
  });

  function* records(): Generator<FileRecord> {
    const entries = found;
    found = [];
    for (const entry of entries) {
      at += 1;
      const value = parsed(entry);
      const fields = fieldsOf(value);
      if (fields) yield { at, fields };
      else {
        const problem = value === undefined ? 'This entry is not valid JSON.' : 'This entry is not a link.';
        yield { at, problem, subject: entry };
      }
    }
  }

  for await (const slice of text) {
    scanner.add(slice);
    yield* records();
  }
  scanner.end();
  yield* records();
}

/** The value of some JSON; undefined where it is not valid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where the APIs of other services say that there is more than one page. */
const TOTAL = ['total', 'pagination.totalitems', 'shorturls.pagination.totalitems', 'stats.totallinks'];
const NEXT = ['nextpagetoken', 'pagination.next', 'nextcursor'];

/** Finds out from what pages say beside their entries whether all pages are there. */
export function createPageCounts() {
  let total = 0;
  let hasNext = false;
  return {
    add(page: Fields): void {
      for (const name of TOTAL) total = Math.max(total, Number(page.get(name)) || 0);
      hasNext = NEXT.some((name) => Boolean(page.get(name))) || page.get('listcomplete') === false;
    },
    /** Whether links are missing, where `found` of them were read. */
    isPart: (found: number) => hasNext || found < total,
  };
}
