import type { FakeAnswer } from '../conformance/fake-server.ts';

/** An error answer of Shlink, which ends the handling of a request. */
export class Problem extends Error {
  readonly answer: FakeAnswer;
  constructor(status: number, type: string, title: string, detail: string, extra: object = {}) {
    super(detail);
    const body = { ...extra, title, type: `https://shlink.io/api/error/${type}`, status, detail };
    this.answer = { status, headers: { 'content-type': 'application/problem+json' }, body };
  }
}

export function noKey(): Problem {
  const detail = 'Expected one of the following authentication headers, ["X-Api-Key"], but none were provided';
  const extra = { expectedHeaders: ['X-Api-Key'] };
  return new Problem(401, 'missing-authentication', 'Invalid authorization', detail, extra);
}

export function invalidKey(): Problem {
  return new Problem(401, 'invalid-api-key', 'Invalid API key', 'Provided API key does not exist or is invalid.');
}

export function noSuchPath(method: string, url: string): Problem {
  return new Problem(404, 'not-found', 'Not Found', `Cannot ${method} ${url}!`);
}

export function malformedBody(): Problem {
  const detail = 'Provided request does not contain a valid JSON body.';
  return new Problem(400, 'malformed-request-body', 'Malformed request body', detail);
}

export function invalidData(invalidElements: string[]): Problem {
  return new Problem(400, 'invalid-data', 'Invalid data', 'Provided data is not valid', { invalidElements });
}

export function internalError(): Problem {
  return new Problem(500, 'internal-server-error', 'Internal Server Error', 'An unknown error occurred.');
}

export function nonUniqueSlug(code: string, domain: string | null): Problem {
  const detail = `Provided slug "${code}" is already in use${forDomain(domain)}.`;
  const extra = { customSlug: code, ...(domain && { domain }) };
  return new Problem(400, 'non-unique-slug', 'Invalid custom slug', detail, extra);
}

export function shortUrlNotFound(code: string, domain: string | null): Problem {
  const extra = { shortCode: code, ...(domain && { domain }) };
  const detail = `No URL found with short code "${code}"${forDomain(domain)}`;
  return new Problem(404, 'short-url-not-found', 'Short URL not found', detail, extra);
}

export function tooManyVisits(code: string, domain: string | null, threshold: number): Problem {
  const start = `Impossible to delete short URL with short code "${code}"${forDomain(domain)}`;
  const detail = `${start}, since it has more than "${threshold}" visits.`;
  const extra = { shortCode: code, threshold, ...(domain && { domain }) };
  return new Problem(422, 'invalid-short-url-deletion', 'Cannot delete short URL', detail, extra);
}

function forDomain(domain: string | null): string {
  return domain ? ` for domain "${domain}"` : '';
}
