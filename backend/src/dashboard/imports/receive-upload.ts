import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { ImportFile } from '../../import/readers/import-file.ts';
import type { PageContext, Services } from '../page-definition.ts';

/** Maximum size of an upload, including the other fields of the form. */
export const MAX_UPLOAD_BYTES = 32 * 1024 * 1024;

/** Maximum disk space for the uploads of all accounts. */
const MAX_TOTAL_BYTES = 4 * MAX_UPLOAD_BYTES;

export interface UploadForm {
  /** File name on the user's computer. */
  name: string;
  fields: ReadonlyMap<string, string>;
}

/** Uploaded file and the other fields of its form. Closing the upload deletes the file. */
export interface Upload extends ImportFile, UploadForm {
  close(): Promise<void>;
}

export interface Uploads {
  /**
   * Receives a form with a file. Slow uploads are allowed, but uploads without progress are aborted. Returns null if
   * the form is incomplete or has no file.
   *
   * @throws TooLarge, TooManyUploads
   */
  receive(context: PageContext): Promise<Upload | null>;
}

/** Error that stops an upload because of a size limit. */
export class UploadRefused extends Error {}

export class TooLarge extends UploadRefused {
  override name = 'TooLarge';
}

/** Thrown if the uploads of all accounts together would need too much disk space. */
export class TooManyUploads extends UploadRefused {
  override name = 'TooManyUploads';
}

/**
 * Receives uploads into temporary files. The operating system deletes these files when the process ends.
 *
 * @param makeRoom deletes the oldest upload that is waiting for confirmation; returns false if there is none
 */
export function createUploads(
  { uploadDirectory, extendDeadline }: Pick<Services, 'uploadDirectory' | 'extendDeadline'>,
  totalLimit = MAX_TOTAL_BYTES,
  makeRoom: () => Promise<boolean> = async () => false,
): Uploads {
  let total = 0;

  async function ensureRoom(bytes: number): Promise<void> {
    while (total + bytes > totalLimit) if (!(await makeRoom())) throw new TooManyUploads();
  }

  /**
   * Yields the chunks of a request's body and stops at the size limit. The connection remains open, so that the
   * server can still send a response.
   */
  async function* bounded(request: IncomingMessage, counted: { bytes: number }): AsyncGenerator<Buffer> {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      counted.bytes += chunk.length;
      total += chunk.length;
      if (counted.bytes > MAX_UPLOAD_BYTES) throw new TooLarge();
      await ensureRoom(0);
      extendDeadline(request);
      yield chunk;
    }
  }

  return {
    async receive({ env, req }) {
      const announced = Number(req.header('Content-Length') ?? 0);
      if (announced > MAX_UPLOAD_BYTES) throw new TooLarge();
      await ensureRoom(announced);
      const counted = { bytes: 0 };
      const disk = await openUnlinkedFile(uploadDirectory);
      const close = async () => {
        total -= counted.bytes;
        counted.bytes = 0;
        await disk.close();
      };
      try {
        const form = await readUploadForm(bounded(env.incoming, counted), req.header('Content-Type') ?? '', disk);
        if (form) return { ...form, ...(await readFromDisk(disk)), close };
      } catch (error) {
        await close();
        throw error;
      }
      await close();
      return null;
    },
  };
}

/**
 * Parses a form while it arrives, and writes its file to disk. Returns null if the form is malformed or has no file.
 *
 * @param type `Content-Type` header of the form
 * @throws UploadRefused if the upload is too large; disk errors are thrown unchanged
 */
export async function readUploadForm(
  body: AsyncIterable<Buffer>,
  type: string,
  disk: FileHandle,
): Promise<UploadForm | null> {
  const parser = createFormParser(type);
  if (!parser) return null;
  let name: string | null = null;
  const fields = new Map<string, string>();
  let written: Promise<void> = Promise.resolve();
  let diskError: Error | null = null;
  parser.on('field', (field, value) => fields.set(field, value));
  parser.on('file', (field, content, fileName) => {
    if (field !== 'file' || name !== null) return content.resume();
    name = fileName || 'links.csv';
    const sink = writeToDisk(disk, (error) => {
      diskError = error;
      parser.destroy(error);
    });
    written = pipeline(content, sink);
    // Without this handler, Node would report an unhandled rejection before the promise is awaited below.
    written.catch(() => {});
  });
  try {
    await pipeline(body, parser);
    await written;
  } catch (error) {
    if (diskError) throw diskError;
    if (error instanceof UploadRefused) throw error;
    return null;
  }
  return name === null ? null : { name, fields };
}

/** Returns a parser for forms with this content type. Returns null if the content type is not supported. */
function createFormParser(type: string): BusboyInstance | null {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: { fields: 120, fieldSize: 1000, parts: 130 } });
  } catch {
    return null;
  }
}

/**
 * Returns a stream that writes to an open file. Unlike Node's file stream, this stream does not close the file at the
 * end.
 */
function writeToDisk(disk: FileHandle, onError: (error: Error) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _, done) {
      disk.writeFile(chunk).then(
        () => done(),
        (error) => {
          onError(error);
          done(error);
        },
      );
    },
  });
}

/**
 * Opens a temporary file and removes its directory entry. The operating system deletes the file when the process
 * closes it or crashes.
 */
async function openUnlinkedFile(directory: string): Promise<FileHandle> {
  const path = join(directory, `.upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await rm(path);
  return handle;
}

async function readFromDisk(disk: FileHandle): Promise<ImportFile> {
  const { size } = await disk.stat();
  return {
    size,
    async read(from, to) {
      const bytes = Buffer.alloc(Math.min(to, size) - from);
      await disk.read(bytes, 0, bytes.length, from);
      return bytes;
    },
  };
}
