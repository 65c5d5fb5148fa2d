import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { randomText } from '../../domain/clock-and-random.ts';
import { CODE_ALPHABET } from '../../domain/links/short-codes.ts';
import { ApiError } from '../../http/api-error.ts';
import { FileProblem, type ImportFile, SLICE_BYTES } from '../../import/import-file.ts';
import type { UploadStore } from '../../store/sql/import-queries.ts';
import type { PageContext, Services } from '../services.ts';

/** Maximum size of an upload, including the other fields of the form. */
const MAX_UPLOAD_BYTES = 32 * 1024 * 1024;

/** Maximum size of the uploads of all accounts together. */
const MAX_TOTAL_BYTES = 4 * MAX_UPLOAD_BYTES;

/** Size of a piece in the database. A slice that an import reads is always in one piece. */
const PIECE_BYTES = 16 * SLICE_BYTES;

const REPLACED = 'This upload was replaced by another one or deleted. Choose the file again.';

interface ReceivedUpload {
  id: number;
  token: string;
  /** File name on the user's computer. */
  name: string;
  file: ImportFile;
}

/** Thrown if the uploads of all accounts together would be too large. */
export class TooManyUploads extends Error {
  override name = 'TooManyUploads';
}

/**
 * Receives a form with a file and stores the file in the database. Slow uploads are allowed, but uploads without
 * progress are aborted. Returns null if the form is incomplete or has no file.
 *
 * @throws ApiError if the upload is too large, TooManyUploads, FileProblem
 */
export async function receiveUpload(
  { env, req, var: { session } }: PageContext,
  { store, clock, random }: Services,
): Promise<ReceivedUpload | null> {
  const { uploads } = store;
  const size = Number(req.header('Content-Length') ?? MAX_UPLOAD_BYTES);
  if (size > MAX_UPLOAD_BYTES) throw new ApiError('body_too_large');
  const token = randomText(random, CODE_ALPHABET, 20);
  const id = await uploads.begin(session.accountId, token, size, MAX_TOTAL_BYTES, clock());
  if (id === null) throw new TooManyUploads();
  let received: { name: string; size: number } | null = null;
  try {
    const body = bounded(env.incoming);
    received = await readUploadForm(body, req.header('Content-Type') ?? '', async (position, piece) => {
      if (!(await uploads.add(id, position, piece))) throw new FileProblem(REPLACED);
    });
  } finally {
    if (received === null) await uploads.discard(id);
  }
  return received && { id, token, name: received.name, file: uploadedFile(uploads, id, received.size) };
}

/** Returns a file that reads its content from the database. */
export function uploadedFile(uploads: UploadStore, id: number, size: number): ImportFile {
  let last: { position: number; content: Buffer } | null = null;
  return {
    size,
    async read(from, to) {
      const position = Math.floor(from / PIECE_BYTES);
      if (last?.position !== position) {
        const content = await uploads.piece(id, position);
        if (!content) throw new FileProblem(REPLACED);
        last = { position, content: Buffer.from(content) };
      }
      const start = position * PIECE_BYTES;
      return last.content.subarray(from - start, to - start);
    },
  };
}

/**
 * Yields the chunks of a request's body and stops at the size limit. The connection remains open, so that the server
 * can still send a response.
 */
async function* bounded(request: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_UPLOAD_BYTES) throw new ApiError('body_too_large');
    yield chunk;
  }
}

type AddPiece = (position: number, piece: Buffer) => Promise<void>;

/** Stores a file in pieces of equal size. Returns the size of the file. */
async function storePieces(content: AsyncIterable<Buffer>, add: AddPiece): Promise<number> {
  let position = 0;
  let waiting = Buffer.alloc(0);
  for await (const chunk of content) {
    waiting = Buffer.concat([waiting, chunk]);
    for (; waiting.length >= PIECE_BYTES; waiting = waiting.subarray(PIECE_BYTES)) {
      await add(position, waiting.subarray(0, PIECE_BYTES));
      position += 1;
    }
  }
  if (waiting.length > 0) await add(position, waiting);
  return position * PIECE_BYTES + waiting.length;
}

/**
 * Parses a form while it arrives, and stores its file. Returns the name and the size of the file, or null if the form
 * is malformed or has no file.
 *
 * @param type `Content-Type` header of the form
 * @throws ApiError if the upload is too large; errors of `addPiece` are thrown unchanged
 */
async function readUploadForm(
  body: AsyncIterable<Buffer>,
  type: string,
  addPiece: AddPiece,
): Promise<{ name: string; size: number } | null> {
  const parser = createFormParser(type);
  if (!parser) return null;
  let received: { name: string; size: Promise<number> } | null = null;
  let failure: unknown = null;
  const add: AddPiece = (position, piece) =>
    addPiece(position, piece).catch((error) => {
      failure = error;
      throw error;
    });
  parser.on('file', (field, content, fileName) => {
    if (field !== 'file' || received) return content.resume();
    const size = storePieces(content, add);
    // Ends the form early if its file cannot be stored.
    size.catch((error) => parser.destroy(error));
    received = { name: fileName || 'links.csv', size };
  });
  try {
    await pipeline(body, parser);
    // The listener above assigns this variable, which the compiler does not see.
    const { name, size } = (received as { name: string; size: Promise<number> } | null) ?? {};
    return name === undefined || size === undefined ? null : { name, size: await size };
  } catch (error) {
    if (failure || error instanceof ApiError) throw failure ?? error;
    return null;
  }
}

/** Returns a parser for forms with this content type. Returns null if the content type is not supported. */
function createFormParser(type: string): BusboyInstance | null {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: { fields: 120, fieldSize: 1000, parts: 130 } });
  } catch {
    return null;
  }
}
