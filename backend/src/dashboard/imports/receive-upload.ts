import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { randomText } from '../../domain/clock-and-random.ts';
import { CODE_ALPHABET } from '../../domain/links/short-codes.ts';
import { FileProblem, type ImportFile, SLICE_BYTES } from '../../import/readers/import-file.ts';
import type { UploadStore } from '../../store/sql/upload-queries.ts';
import type { PageContext, Services } from '../services.ts';

/** Maximum size of an upload, including the other fields of the form. */
const MAX_UPLOAD_BYTES = 32 * 1024 * 1024;

/** Maximum size of the uploads of all accounts together. */
const MAX_TOTAL_BYTES = 4 * MAX_UPLOAD_BYTES;

/** Size of a piece in the database. A slice that an import reads is always in one piece. */
const PIECE_BYTES = 16 * SLICE_BYTES;

const REPLACED = 'This upload was replaced by another one or deleted. Choose the file again.';

export interface ReceivedUpload {
  id: number;
  token: string;
  /** File name on the user's computer. */
  name: string;
  file: ImportFile;
}

/** Error that stops an upload because of a size limit. */
export class UploadRefused extends Error {}

export class TooLarge extends UploadRefused {
  override name = 'TooLarge';
}

/** Thrown if the uploads of all accounts together would be too large. */
export class TooManyUploads extends UploadRefused {
  override name = 'TooManyUploads';
}

/**
 * Receives a form with a file and stores the file in the database. Slow uploads are allowed, but uploads without
 * progress are aborted. Returns null if the form is incomplete or has no file.
 *
 * @throws TooLarge, TooManyUploads, FileProblem
 */
export async function receiveUpload(
  { env, req, var: { session } }: PageContext,
  { store, clock, random }: Services,
): Promise<ReceivedUpload | null> {
  const { uploads } = store;
  const size = Number(req.header('Content-Length') ?? MAX_UPLOAD_BYTES);
  if (size > MAX_UPLOAD_BYTES) throw new TooLarge();
  const token = randomText(random, CODE_ALPHABET, 20);
  const id = await uploads.begin(session.accountId, token, size, MAX_TOTAL_BYTES, clock());
  if (id === null) throw new TooManyUploads();
  const pieces = createPieceWriter(uploads, id);
  let name: string | null = null;
  try {
    const body = bounded(env.incoming);
    name = await readUploadForm(body, req.header('Content-Type') ?? '', pieces);
  } finally {
    if (name === null) await uploads.discard(id);
  }
  return name === null ? null : { id, token, name, file: uploadedFile(uploads, id, pieces.size()) };
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
    if (bytes > MAX_UPLOAD_BYTES) throw new TooLarge();
    yield chunk;
  }
}

interface PieceWriter {
  stream: Writable;
  /** Returns the number of bytes that were written. */
  size(): number;
  /** Returns the error of the database that ended the stream, or null. */
  failure(): Error | null;
}

/** Returns a stream that writes a file to the database in pieces of equal size. */
function createPieceWriter(uploads: UploadStore, id: number): PieceWriter {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let size = 0;
  let position = 0;
  let failure: Error | null = null;

  async function writePieces(isEnd: boolean): Promise<void> {
    if (bytes < PIECE_BYTES && !isEnd) return;
    let content = Buffer.concat(waiting);
    while (content.length >= PIECE_BYTES || (isEnd && content.length > 0)) {
      if (!(await uploads.add(id, position, content.subarray(0, PIECE_BYTES)))) throw new FileProblem(REPLACED);
      position += 1;
      content = content.subarray(PIECE_BYTES);
    }
    waiting = [content];
    bytes = content.length;
  }

  function finish(work: Promise<void>, done: (error?: Error) => void): void {
    work.then(
      () => done(),
      (error) => {
        failure = error;
        done(error);
      },
    );
  }

  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      waiting.push(chunk);
      bytes += chunk.length;
      size += chunk.length;
      finish(writePieces(false), done);
    },
    final: (done) => finish(writePieces(true), done),
  });
  return { stream, size: () => size, failure: () => failure };
}

/**
 * Parses a form while it arrives, and writes its file to the database. Returns the name of the file, or null if the form is
 * malformed or has no file.
 *
 * @param type `Content-Type` header of the form
 * @throws UploadRefused if the upload is too large; errors of the database are thrown unchanged
 */
async function readUploadForm(body: AsyncIterable<Buffer>, type: string, pieces: PieceWriter): Promise<string | null> {
  const parser = createFormParser(type);
  if (!parser) return null;
  let name: string | null = null;
  let written: Promise<void> = Promise.resolve();
  parser.on('file', (field, content, fileName) => {
    if (field !== 'file' || name !== null) return content.resume();
    name = fileName || 'links.csv';
    written = pipeline(content, pieces.stream);
    // Ends the form early if its file cannot be stored.
    written.catch((error) => parser.destroy(error));
  });
  try {
    await pipeline(body, parser);
    await written;
  } catch (error) {
    if (error instanceof UploadRefused) throw error;
    if (pieces.failure()) throw pieces.failure();
    return null;
  }
  return name;
}

/** Returns a parser for forms with this content type. Returns null if the content type is not supported. */
function createFormParser(type: string): BusboyInstance | null {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: { fields: 120, fieldSize: 1000, parts: 130 } });
  } catch {
    return null;
  }
}
