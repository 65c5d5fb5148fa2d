import type { PageContext } from './page.ts';

/** The fields of a form that was sent. A field that is missing, or a file, is an empty text. */
export interface Form {
  text(name: string): string;
  /** Every value of a field that may be there several times, such as a row's box. */
  texts(name: string): string[];
}

/** Reads a form; the mount bounds its size. Line ends, which HTML forms send as CR LF, become LF. */
export async function readForm(context: PageContext): Promise<Form> {
  const fields = await context.req.parseBody({ all: true }).catch(() => ({}) as Record<string, unknown>);
  const texts = (name: string): string[] => {
    const values = Object.hasOwn(fields, name) ? [fields[name]].flat() : [];
    return values.filter((value) => typeof value === 'string').map((value) => value.replaceAll('\r\n', '\n'));
  };
  // Of a field that is sent several times where one is meant, the last counts.
  return { texts, text: (name) => texts(name).at(-1) ?? '' };
}

/** What is wrong with a form, by field; null where nothing is. */
export type Problems = Record<string, string> | null;

/** Keeps the fields that have a problem; null where none has. */
export function problemsOf(found: Record<string, string | null>): Problems {
  const wrong = Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== null);
  return wrong.length > 0 ? Object.fromEntries(wrong) : null;
}
