import type { FakeAnswer, FakeRequest } from '../conformance/fake-server.ts';
import { KuttProblem } from './kutt-fields.ts';

const MAX_BODY_BYTES = 102_400;

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
export const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };
export const UNREADABLE = 'An error occurred.';

export function says(body: object, status = 200): FakeAnswer {
  return { status, headers: JSON_TYPE, body };
}

export function page(headers: Record<string, string> = {}, head = ''): FakeAnswer {
  return {
    status: 200,
    headers: { ...HTML_TYPE, ...headers },
    body: `<!DOCTYPE html>${head}<title>Kutt</title>${' '.repeat(200)}`,
  };
}

export function redirect({ headers }: FakeRequest, location: string): FakeAnswer {
  const hasText = !headers.accept || headers.accept.includes('*/*');
  const text = { 'content-type': 'text/plain; charset=utf-8' };
  if (!hasText) return { status: 302, headers: { location } };
  return { status: 302, headers: { location, ...text }, body: `Found. Redirecting to ${location}` };
}

export function noSuchRoute({ method, path }: FakeRequest): FakeAnswer {
  const lines = ['<!DOCTYPE html>', '<html lang="en">', '<head>', '<meta charset="utf-8">', '<title>Error</title>'];
  const rest = ['</head>', '<body>', `<pre>Cannot ${method} ${path}</pre>`, '</body>', '</html>', ''];
  return { status: 404, headers: HTML_TYPE, body: [...lines, ...rest].join('\n') };
}

export function prefersHtml({ headers: { accept = '' } }: FakeRequest): boolean {
  const html = accept.indexOf('text/html');
  const json = accept.search(/application\/json|\*\/\*/);
  return html !== -1 && (json === -1 || html < json);
}

export function readBody({ headers, body }: FakeRequest): Record<string, unknown> {
  const type = headers['content-type'] ?? '';
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) throw new KuttProblem(UNREADABLE, 413);
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body));
  if (!type.startsWith('application/json') || body === '') return {};
  try {
    return JSON.parse(body);
  } catch {
    throw new KuttProblem(UNREADABLE, 400);
  }
}
