import type { FakeAnswer, FakeLink, FakeRequest } from '../conformance/fake-server.ts';
import { type SinkFields, SinkProblem } from './sink-fields.ts';

/** A link of the fake, with the fields that only Sink has. */
export interface SinkLink extends FakeLink, Omit<SinkFields, 'id' | 'slug' | 'title' | 'expiration'> {
  id: string;
  /** Times in seconds. */
  createdAt: number;
  updatedAt: number;
}

const CURSOR_PREFIX = 'd1:v1:';

export function says(body: object, status = 200): FakeAnswer {
  return { status, body };
}

export function page(): FakeAnswer {
  const headers = { 'content-type': 'text/html;charset=utf-8' };
  return { status: 200, headers, body: `<!DOCTYPE html><title>Sink</title>${' '.repeat(200)}` };
}

export function redirect(status: number, location: string): FakeAnswer {
  const body = `<!DOCTYPE html><html><head><meta http-equiv="refresh" content="0; url=${location}"></head></html>`;
  return { status, headers: { location, 'content-type': 'text/html' }, body };
}

/** Bodies that are not declared as JSON stay texts, and texts are refused. */
export function readBody({ headers, body }: FakeRequest): unknown {
  if (!headers['content-type']?.startsWith('application/json')) return body;
  try {
    return JSON.parse(body);
  } catch {
    throw new SinkProblem(400, 'Bad Request');
  }
}

export function writeCursor({ shortCode, createdAt }: SinkLink, kind: object): string {
  return CURSOR_PREFIX + btoa(JSON.stringify({ ...kind, shortCode, createdAt }));
}

/** @throws SinkProblem if the cursor is not one of a list of this kind */
export function readCursor(cursor: string, expected: object): { shortCode: string; createdAt: number } {
  try {
    if (!cursor.startsWith(CURSOR_PREFIX)) throw new Error(cursor);
    const { shortCode, createdAt, ...kind } = JSON.parse(atob(cursor.slice(CURSOR_PREFIX.length)));
    if (JSON.stringify(kind) === JSON.stringify(expected)) return { shortCode, createdAt };
  } catch {
    // An unreadable cursor is refused like a cursor of another list.
  }
  throw new SinkProblem(400, 'Invalid pagination cursor');
}

/** @param isMasked false for versions before 0.2.9, which return passwords as they are */
export function toJson(link: SinkLink, isMasked = true) {
  const {
    shortCode,
    title,
    expiresAt,
    password,
    domain: _domain,
    clicks: _clicks,
    isForeign: _isForeign,
    ...rest
  } = link;
  return {
    ...rest,
    slug: shortCode,
    ...(title !== null && { title }),
    ...(expiresAt !== null && { expiration: expiresAt / 1_000 }),
    // Passwords are masked up to their end.
    ...(password && { password: isMasked ? `__SINK_MASKED__•••${password.slice(-3)}` : password }),
  };
}
