import type { HonoRequest } from 'hono';
import { ApiError } from '../http/api-error.ts';

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Reads the body of a JSON request. If the headers show that the body is too large or has an unsupported type,
 * rejects the request without reading the body.
 *
 * @throws ApiError `request_timeout` if the connection was closed before the whole body arrived
 */
export async function readBody(request: HonoRequest): Promise<Uint8Array> {
  const type = request.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new ApiError('unsupported_media_type');
  const encoding = request.header('Content-Encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    const message = 'The request body must not be compressed.';
    throw new ApiError('unsupported_media_type', { message, headers: { 'Accept-Encoding': 'identity' } });
  }
  const length = request.header('Content-Length');
  if (length !== undefined && Number(length) > MAX_BODY_BYTES) throw new ApiError('body_too_large');
  try {
    // Node's HTTP parser ensures that a body is not longer than its `Content-Length`. Only a request without this
    // header can still exceed the size limit.
    return length === undefined ? await readLimited(request.raw.body) : new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('request_timeout');
  }
}

async function readLimited(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw new ApiError('body_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws ApiError `invalid_json` if the bytes are not UTF-8 or not JSON */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new ApiError('invalid_json');
  }
}
