import type { HonoRequest } from 'hono';
import { ApiError } from '../http/api-error.ts';

/** The largest request body taken, in bytes. */
const BODY_LIMIT = 64 * 1024;

/** The client went away, or was cut off, before all of its body had come: there is nothing to do and nobody to answer. */
export class CutShort extends ApiError {
  constructor() {
    super('invalid_request', { sentence: 'The request ended before its body did.' });
  }
}

/** The bytes of a JSON body; refused before it is read where its headers say enough. */
export async function readBody(request: HonoRequest): Promise<Uint8Array> {
  const type = request.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new ApiError('unsupported_media_type');
  const encoding = request.header('Content-Encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    const sentence = 'The request body must not be compressed.';
    throw new ApiError('unsupported_media_type', { sentence, headers: { 'Accept-Encoding': 'identity' } });
  }
  const length = request.header('Content-Length');
  // The HTTP parser lets through no more than was announced.
  const announced = length !== undefined && Number(length) <= BODY_LIMIT;
  if (length !== undefined && !announced) throw new ApiError('body_too_large');
  try {
    return announced ? new Uint8Array(await request.arrayBuffer()) : await collect(request.raw.body);
  } catch (error) {
    throw error instanceof ApiError ? error : new CutShort();
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws ApiError `invalid_json`, also for bytes that are not UTF-8 */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new ApiError('invalid_json');
  }
}

async function collect(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > BODY_LIMIT) throw new ApiError('body_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
