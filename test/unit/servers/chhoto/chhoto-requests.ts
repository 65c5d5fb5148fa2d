/** A link in the body of a create. The delay is in seconds. */
export interface ChhotoCreate {
  shortlink: string;
  longlink: string;
  expiry_delay: number | null;
  notes: string | null;
}

/** Body of an edit. Unlike in a create, the expiry is a time in Unix seconds. */
export interface ChhotoEdit {
  shortlink: string;
  longlink: string;
  reset_hits: boolean;
  expiry_time: number | null;
  notes: string | null;
}

/** Parses the body of a create. Returns null if a field has the wrong type. */
export function parseCreate(body: string): ChhotoCreate | null {
  const {
    shortlink = '',
    longlink,
    expiry_delay = null,
    notes = null,
  } = (parseJson(body) ?? {}) as Partial<ChhotoCreate>;
  if (!isText(shortlink) || !isText(longlink)) return null;
  return isSeconds(expiry_delay) && isNotes(notes) ? { shortlink, longlink, expiry_delay, notes } : null;
}

export function parseEdit(body: string): ChhotoEdit | null {
  const edit = (parseJson(body) ?? {}) as Partial<ChhotoEdit>;
  const { shortlink, longlink, reset_hits, expiry_time = null, notes = null } = edit;
  if (!isText(shortlink) || !isText(longlink) || typeof reset_hits !== 'boolean') return null;
  return isSeconds(expiry_time) && isNotes(notes) ? { shortlink, longlink, reset_hits, expiry_time, notes } : null;
}

/** True if all characters are printable ASCII. */
export function isPrintable(notes: string | null): boolean {
  return /^[ -~]*$/.test(notes ?? '');
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** True for whole numbers and null. A fraction is refused. */
function isSeconds(value: unknown): value is number | null {
  return value === null || Number.isInteger(value);
}

function isNotes(value: unknown): value is string | null {
  return value === null || isText(value);
}
