import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';

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
  const parser = parserOf(type);
  if (!parser) return null;
  let name: string | null = null;
  const fields = new Map<string, string>();
  let written: Promise<void> = Promise.resolve();
  let diskError: Error | null = null;
  parser.on('field', (field, value) => fields.set(field, value));
  parser.on('file', (field, content, fileName) => {
    if (field !== 'file' || name !== null) return content.resume();
    name = fileName || 'links.csv';
    const sink = writableTo(disk, (error) => {
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
function writableTo(disk: FileHandle, onError: (error: Error) => void): Writable {
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
function parserOf(type: string): BusboyInstance | null {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: { fields: 120, fieldSize: 1000, parts: 130 } });
  } catch {
    return null;
  }
}
