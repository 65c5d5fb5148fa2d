import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { ImportFile } from '../../import/readers/import-file.ts';
import type { PageContext, Services } from '../page-definition.ts';

/** What a form says that brings a file to import. */
export interface UploadForm {
  /** The file's name, as the client gives it. */
  name: string;
  /** Its other fields. */
  fields: ReadonlyMap<string, string>;
}

/** The rest of a form is not read, since it is too much. */
export class UploadRefused extends Error {}

/**
 * Takes a form apart as it comes, and writes its file to disk. Null where there is no file, or the form is broken.
 *
 * @param type its `Content-Type`, which names the boundary
 * @throws UploadRefused where the body does, and what the disk throws
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
    // Awaited below; until then, a failure must not count as one that nobody handles.
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

/** Node's own stream of a file would keep the file from being closed after the end of the stream. */
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

/** Null where a body of this content type is no form that could bring a file. */
function createFormParser(type: string): BusboyInstance | null {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: { fields: 120, fieldSize: 1000, parts: 130 } });
  } catch {
    return null;
  }
}

/** The largest upload taken, in bytes: the file, with what a form adds to it. */
export const MAX_UPLOAD_BYTES = 32 * 1024 * 1024;

/** How much all accounts together may have uploaded at a time, in bytes; it is on disk until its import ends. */
const MAX_TOTAL_BYTES = 4 * MAX_UPLOAD_BYTES;

/** More was sent than the limit allows. */
export class TooLarge extends UploadRefused {
  override name = 'TooLarge';
}

/** All accounts together are uploading more than the limit allows. */
export class TooManyUploads extends UploadRefused {
  override name = 'TooManyUploads';
}

/** A form that brought a file. The file is gone once it is closed. */
export interface Upload extends ImportFile, UploadForm {
  close(): Promise<void>;
}

export interface Uploads {
  /**
   * Reads a form with a file, however slowly it comes, as long as it keeps coming. Returns null where it is not a form,
   * brings no file, or breaks off.
   *
   * @throws TooLarge, TooManyUploads
   */
  receive(context: PageContext): Promise<Upload | null>;
}

/**
 * Receives uploads into files without a name, which vanish with the process at the latest.
 *
 * @param makeRoom gives up an upload that only waits for its account; returns false where there is none
 */
export function createUploads(
  { uploadDirectory, extendDeadline }: Pick<Services, 'uploadDirectory' | 'extendDeadline'>,
  totalLimit = MAX_TOTAL_BYTES,
  makeRoom: () => Promise<boolean> = async () => false,
): Uploads {
  let total = 0;

  async function needRoom(bytes: number): Promise<void> {
    while (total + bytes > totalLimit) if (!(await makeRoom())) throw new TooManyUploads();
  }

  /** Passes on a request's body, and counts it. Its connection stays open where that fails, for the answer. */
  async function* bounded(request: IncomingMessage, counted: { bytes: number }): AsyncGenerator<Buffer> {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      counted.bytes += chunk.length;
      total += chunk.length;
      if (counted.bytes > MAX_UPLOAD_BYTES) throw new TooLarge();
      await needRoom(0);
      extendDeadline(request);
      yield chunk;
    }
  }

  return {
    async receive({ env, req }) {
      const announced = Number(req.header('Content-Length') ?? 0);
      if (announced > MAX_UPLOAD_BYTES) throw new TooLarge();
      await needRoom(announced);
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

/** A file that is removed as soon as it is open: it can be read and written, and nothing is left of it after a crash. */
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
