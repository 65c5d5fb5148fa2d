import type { NewCodes } from '@terse/contract/service-capabilities';
import { capabilitiesOf, shortBaseUrlOf } from '../servers/capabilities.ts';
import type { Connection, Request } from './types.ts';

/*
 * Generates short codes in the extension. If the server accepts these codes, the user can copy a short URL before the
 * server has created the link.
 */

/** Returns `count` cryptographically secure random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

export interface CodeGeneration {
  newKey: () => string;
  randomBytes: RandomBytes;
}

/**
 * Generates a short code. Random bytes that would favor some symbols are discarded, so that all symbols are equally
 * likely.
 */
export function generateCode({ alphabet, length }: NewCodes, randomBytes: RandomBytes): string {
  const fair = 256 - (256 % alphabet.length);
  let code = '';
  while (code.length < length) {
    for (const byte of randomBytes(length - code.length)) if (byte < fair) code += alphabet[byte % alphabet.length];
  }
  return code;
}

/**
 * Returns the alphabet and length of generated codes, or null if the extension must not generate codes for the
 * server.
 */
export function codesOf(connection: Connection): NewCodes | null {
  return capabilitiesOf(connection).generatedCode;
}

/**
 * Adds a generated short code to a request, if the server accepts generated codes and the user has not chosen a code.
 * Otherwise, removes a code that was generated for another server.
 */
export function withCode(request: Request, connection: Connection, randomBytes: RandomBytes): Request {
  const codes = request.options.shortCode === null ? codesOf(connection) : null;
  if (codes) return { ...request, generatedCode: request.generatedCode ?? generateCode(codes, randomBytes) };
  const { generatedCode: _, ...withoutCode } = request;
  return withoutCode;
}

/**
 * Returns the short URL that a waiting request will get. Returns null if the short URL cannot be predicted, for
 * example because the server chooses the code.
 */
export function promisedShortUrl(request: Request, connection: Connection): string | null {
  const { generatedCode, state } = request;
  const { service } = connection;
  const domain = request.sent ? request.sent.item.domain : connection.domain;
  const base = URL.parse(service ? shortBaseUrlOf(service, domain) : '');
  if (!generatedCode || !base || state === 'failed' || state === 'uncertain') return null;
  if (!codesOf(connection) || capabilitiesOf(connection).reusesLinks) return null;
  return `${base.origin}${base.pathname.replace(/\/+$/, '')}/${generatedCode}`;
}

/** Returns cryptographically secure random bytes. */
export function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
