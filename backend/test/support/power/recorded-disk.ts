import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathOf, type SystemCall, textsIn } from './system-calls.ts';

/** A file with its content in the memory of the system, and with the content that was flushed to the disk. */
interface RecordedFile {
  kind: 'file';
  content: Buffer;
  flushed: Buffer;
}

/** A folder with its entries in the memory of the system, and with the entries that were flushed to the disk. */
interface RecordedFolder {
  kind: 'folder';
  content: Map<string, RecordedNode>;
  flushed: Map<string, RecordedNode>;
}

type RecordedNode = RecordedFile | RecordedFolder;

/** Contents of all files that survive a power cut, by path. */
export type Remains = Map<string, Buffer>;

/**
 * Changes that were not flushed, and that the disk has lost: the contents of files and the entries of folders, or only
 * the contents. File systems often write a new or renamed entry before the content of its file.
 */
export const LOSSES = ['contents and entries', 'contents'] as const;
export type Loss = (typeof LOSSES)[number];

/** A disk that is rebuilt from the system calls of processes. */
export interface RecordedDisk {
  /**
   * Adds the system calls of a process that has just ended. The next process must not have started yet.
   *
   * @param onFlush called directly before each flush takes effect
   * @throws if the recording is incomplete
   */
  add(calls: SystemCall[], onFlush: (at: number) => void): void;
  remains(loss: Loss): Remains;
}

/** @param root path of the folder; it is also the working directory of all processes, and empty at first */
export function createRecordedDisk(root: string): RecordedDisk {
  const folder = newFolder();
  let descriptors = new Map<number, { node: RecordedNode; position: number }>();
  const flushing = new Map<SystemCall, () => void>();

  function folderAt(path: string): RecordedFolder | null {
    const names = relative(root, path).split('/').filter(Boolean);
    if (names[0] === '..') return null;
    let node: RecordedNode | undefined = folder;
    for (const name of names) node = node?.kind === 'folder' ? node.content.get(name) : undefined;
    return node?.kind === 'folder' ? node : null;
  }

  /** Returns the recorded folder and the name of each path in the arguments. Null if it is outside of the root. */
  function placesOf(call: SystemCall): ({ parent: RecordedFolder; name: string } | null)[] {
    const starts = [...call.parameters.matchAll(/(AT_FDCWD|\d+)<[^>]*>, "/g)].map(([, start = '']) => start);
    return textsIn(call).map((text, index) => {
      const path = text.toString();
      const start = starts[index];
      const from = start === undefined || start === 'AT_FDCWD' ? folder : descriptors.get(Number(start))?.node;
      if (!path.startsWith('/') && from?.kind === 'folder' && from !== folder) return { parent: from, name: path };
      const absolute = resolve(root, path);
      const parent = folderAt(dirname(absolute));
      return parent && absolute !== root ? { parent, name: relative(dirname(absolute), absolute) } : null;
    });
  }

  function open(call: SystemCall): void {
    const [place] = placesOf(call);
    if (!place) {
      descriptors.delete(call.result);
      if (resolve(root, String(textsIn(call)[0])) === root) descriptors.set(call.result, { node: folder, position: 0 });
      return;
    }
    let node = place.parent.content.get(place.name);
    if (!node) {
      if (!call.parameters.includes('O_CREAT'))
        throw new Error(`${place.name} was opened, but its creation is missing.`);
      node = { kind: 'file', content: Buffer.alloc(0), flushed: Buffer.alloc(0) };
      place.parent.content.set(place.name, node);
    } else if (node.kind === 'file' && call.parameters.includes('O_TRUNC')) node.content = Buffer.alloc(0);
    const position = node.kind === 'file' && call.parameters.includes('O_APPEND') ? node.content.length : 0;
    descriptors.set(call.result, { node, position });
  }

  function changeEntries(call: SystemCall): void {
    const [from, to] = placesOf(call);
    if (!from) return;
    if (call.name.startsWith('mkdir')) from.parent.content.set(from.name, newFolder());
    else if (/^(unlink|rmdir)/.test(call.name)) from.parent.content.delete(from.name);
    else {
      const node = from.parent.content.get(from.name);
      if (!node || !to) throw new Error(`A file was renamed or linked from or to another folder: ${call.name}`);
      to.parent.content.set(to.name, node);
      if (call.name.startsWith('rename')) from.parent.content.delete(from.name);
    }
  }

  function copy(call: SystemCall): void {
    const [one, other] = [...call.parameters.matchAll(/(?:^|, )(\d+)</g)].map(([, number]) =>
      descriptors.get(Number(number)),
    );
    const [source, target] = call.name === 'sendfile' ? [other, one] : [one, other];
    if (target?.node.kind !== 'file') return;
    if (source?.node.kind !== 'file') throw new Error('A file was copied from another folder.');
    write(target.node, target.position, source.node.content.subarray(source.position, source.position + call.result));
    source.position += call.result;
    target.position += call.result;
  }

  function changeFile(call: SystemCall): void {
    const descriptor = descriptors.get(Number.parseInt(call.parameters, 10));
    if (!descriptor) return;
    const { node } = descriptor;
    if (node.kind !== 'file' || !/^(p?writev?(64)?|ftruncate)$/.test(call.name))
      throw new Error(`The recorder does not know the system call ${call.name} for a ${node.kind}.`);
    const last = Number(/(-?\d+)$/.exec(call.parameters)?.[1]);
    const data = Buffer.concat(textsIn(call)).subarray(0, call.result);
    if (call.name === 'ftruncate') node.content = Buffer.concat([node.content, Buffer.alloc(last)]).subarray(0, last);
    else if (call.name.startsWith('p')) write(node, last, data);
    else {
      write(node, descriptor.position, data);
      descriptor.position += data.length;
    }
  }

  /** Remembers what a flush writes to the disk when it ends. */
  function beginFlush(call: SystemCall): void {
    const node = descriptors.get(Number.parseInt(call.parameters, 10))?.node;
    if (!node || !pathOf(call).startsWith('/')) return;
    const { content } = node;
    if (node.kind === 'file') flushing.set(call, () => Object.assign(node, { flushed: content }));
    else {
      const entries = new Map(node.content);
      flushing.set(call, () => Object.assign(node, { flushed: entries }));
    }
  }

  function end(call: SystemCall, onFlush: (at: number) => void): void {
    if (Number.isNaN(call.result) && wasWritten(call)) call.result = textsIn(call)[0]?.length ?? 0;
    if (!(call.result >= 0)) return;
    if (call.name === 'openat') open(call);
    else if (/^(mkdir|rmdir|unlink|rename|link)/.test(call.name)) changeEntries(call);
    // Closing a file is not recorded, to save time. Later, a socket or pipe can have the same number.
    else if (!pathOf(call).startsWith('/')) return;
    else if (call.name === 'copy_file_range' || call.name === 'sendfile') copy(call);
    else if (isFlush(call)) {
      if (flushing.has(call)) onFlush(call.end);
      flushing.get(call)?.();
    } else changeFile(call);
  }

  return {
    add(calls, onFlush) {
      descriptors = new Map();
      const events = calls.flatMap((call) => [
        { at: call.at, run: () => isFlush(call) && beginFlush(call) },
        { at: call.end, run: () => end(call, onFlush) },
      ]);
      for (const { run } of events.toSorted((one, other) => one.at - other.at)) run();
      compare(folder, root);
    },
    remains: (loss) => new Map(filesIn(folder, '', loss)),
  };
}

const isFlush = ({ name }: SystemCall) => name === 'fsync' || name === 'fdatasync';

function newFolder(): RecordedFolder {
  return { kind: 'folder', content: new Map(), flushed: new Map() };
}

/** Replaces the content, because flushes in progress refer to the old content. */
function write(file: RecordedFile, offset: number, data: Buffer): void {
  const content = Buffer.alloc(Math.max(file.content.length, offset + data.length));
  file.content.copy(content);
  data.copy(content, offset);
  file.content = content;
}

function* filesIn(folder: RecordedFolder, path: string, loss: Loss): Generator<[string, Buffer]> {
  for (const [name, node] of loss === 'contents' ? folder.content : folder.flushed) {
    if (node.kind === 'folder') yield* filesIn(node, join(path, name), loss);
    else yield [join(path, name), node.flushed];
  }
}

/** True if a killed process has completed a write that it could not report any more. */
function wasWritten(call: SystemCall): boolean {
  if (call.name !== 'pwrite64') return false;
  const [data = Buffer.alloc(0)] = textsIn(call);
  const offset = Number(/(\d+)$/.exec(call.parameters)?.[1]);
  return (
    existsSync(pathOf(call)) &&
    readFileSync(pathOf(call))
      .subarray(offset, offset + data.length)
      .equals(data)
  );
}

/**
 * Checks that the recording is complete.
 *
 * @throws if it differs from the files
 */
function compare(folder: RecordedFolder, path: string): void {
  const names = readdirSync(path).sort();
  const recorded = [...folder.content.keys()].sort();
  if (names.join() !== recorded.join()) throw new Error(`${path} contains ${names}, but ${recorded} was recorded.`);
  for (const [name, node] of folder.content) {
    const child = join(path, name);
    if (node.kind === 'folder') compare(node, child);
    // SQLite's shared memory is mapped, so writes to it cannot be recorded. SQLite clears it after a power failure.
    else if (!name.endsWith('-shm') && !node.content.equals(readFileSync(child)))
      throw new Error(`The recorded content of ${child} differs from the file.`);
  }
}
