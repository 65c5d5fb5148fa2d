import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathOf, type SystemCall, textsIn } from './system-calls.ts';

interface Change {
  at: number;
  end: number;
  /** Position at which the change is certainly on the disk. Infinity if it was never flushed. */
  syncedAt: number;
}

export type FileChange = Change & ({ offset: number; data: Buffer } | { size: number });

export interface RecordedFile {
  kind: 'file';
  changes: FileChange[];
}

export interface EntryChange extends Change {
  name: string;
  /** Null if the name was removed. */
  node: RecordedFile | RecordedFolder | null;
  /** New name, if the node was renamed. */
  renamedTo: { folder: RecordedFolder; change: EntryChange } | null;
}

export interface RecordedFolder {
  kind: 'folder';
  changes: EntryChange[];
  /** Content at the end of the recording. */
  entries: Map<string, RecordedFile | RecordedFolder>;
}

/** All changes of the files in a folder, with the moments at which they were flushed to disk. */
export interface RecordedDisk {
  folder: RecordedFolder;
  /** Positions directly before each change, and the position after the last change. */
  cuts: number[];
  /** Positions directly before the end of each flush of a file or folder. */
  flushes: number[];
}

/** Records the changes of a folder, which must be empty before the first process starts. */
export interface DiskRecorder {
  disk: RecordedDisk;
  /**
   * Adds the system calls of a process that has just ended. The next process must not have started yet.
   *
   * @throws if the recording is incomplete
   */
  add(calls: SystemCall[]): void;
}

interface Descriptor {
  node: RecordedFile | RecordedFolder;
  position: number;
}

/** @param root path of the folder; it is also the working directory of all processes */
export function createDiskRecorder(root: string): DiskRecorder {
  const folder = newFolder();
  const disk: RecordedDisk = { folder, cuts: [], flushes: [] };
  let descriptors = new Map<number, Descriptor>();

  function folderAt(path: string): RecordedFolder | null {
    const names = relative(root, path).split('/').filter(Boolean);
    if (names[0] === '..') return null;
    let node: RecordedFile | RecordedFolder | undefined = folder;
    for (const name of names) node = node?.kind === 'folder' ? node.entries.get(name) : undefined;
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

  function cut(at: number): void {
    disk.cuts.push(at);
  }

  function setEntry(
    { at, end }: SystemCall,
    { parent, name }: { parent: RecordedFolder; name: string },
    node: EntryChange['node'],
    renamedTo: EntryChange['renamedTo'] = null,
  ): EntryChange {
    const change = { at, end, syncedAt: Number.POSITIVE_INFINITY, name, node, renamedTo };
    parent.changes.push(change);
    if (node) parent.entries.set(name, node);
    else parent.entries.delete(name);
    return change;
  }

  function write({ at, end }: SystemCall, file: RecordedFile, offset: number, data: Buffer): void {
    cut(at);
    file.changes.push({ at, end, syncedAt: Number.POSITIVE_INFINITY, offset, data });
  }

  function resize({ at, end }: SystemCall, file: RecordedFile, size: number): void {
    cut(at);
    file.changes.push({ at, end, syncedAt: Number.POSITIVE_INFINITY, size });
  }

  function open(call: SystemCall): void {
    const [place] = placesOf(call);
    if (!place) {
      descriptors.delete(call.result);
      if (resolve(root, String(textsIn(call)[0])) === root) descriptors.set(call.result, { node: folder, position: 0 });
      return;
    }
    let node = place.parent.entries.get(place.name);
    if (!node) {
      if (!call.parameters.includes('O_CREAT'))
        throw new Error(`${place.name} was opened, but its creation is missing.`);
      cut(call.at);
      node = { kind: 'file', changes: [] };
      setEntry(call, place, node);
    } else if (node.kind === 'file' && call.parameters.includes('O_TRUNC')) resize(call, node, 0);
    const position = node.kind === 'file' && call.parameters.includes('O_APPEND') ? sizeOf(node) : 0;
    descriptors.set(call.result, { node, position });
  }

  function flush({ at, end }: SystemCall, { changes }: RecordedFile | RecordedFolder): void {
    disk.flushes.push(end);
    for (const change of changes)
      if (change.end <= at && change.syncedAt === Number.POSITIVE_INFINITY) change.syncedAt = end;
  }

  function changeEntries(call: SystemCall): void {
    const [from, to] = placesOf(call);
    if (!from) return;
    cut(call.at);
    if (call.name.startsWith('mkdir')) setEntry(call, from, newFolder());
    else if (/^(unlink|rmdir)/.test(call.name)) setEntry(call, from, null);
    else {
      const node = from.parent.entries.get(from.name);
      if (!node || !to) throw new Error(`A file was renamed or linked from or to another folder: ${call.name}`);
      const change = setEntry(call, to, node);
      if (call.name.startsWith('rename')) setEntry(call, from, null, { folder: to.parent, change });
    }
  }

  function copy(call: SystemCall): void {
    const [one, other] = [...call.parameters.matchAll(/(?:^|, )(\d+)</g)].map(([, number]) =>
      descriptors.get(Number(number)),
    );
    const [source, target] = call.name === 'sendfile' ? [other, one] : [one, other];
    if (target?.node.kind !== 'file') return;
    if (source?.node.kind !== 'file') throw new Error('A file was copied from another folder.');
    const data = contentOf(source.node).subarray(source.position, source.position + call.result);
    source.position += call.result;
    write(call, target.node, target.position, data);
    target.position += call.result;
  }

  function changeFile(call: SystemCall, descriptor: Descriptor): void {
    const { node } = descriptor;
    if (call.name === 'fsync' || call.name === 'fdatasync') {
      flush(call, node);
      return;
    }
    if (node.kind !== 'file') throw new Error(`${call.name} was called for a folder.`);
    const last = Number(/(-?\d+)$/.exec(call.parameters)?.[1]);
    const data = Buffer.concat(textsIn(call)).subarray(0, call.result);
    if (call.name === 'ftruncate') resize(call, node, last);
    else if (call.name.startsWith('p')) write(call, node, last, data);
    else {
      write(call, node, descriptor.position, data);
      descriptor.position += data.length;
    }
  }

  function addToFile(call: SystemCall): void {
    const number = Number.parseInt(call.parameters, 10);
    const descriptor = descriptors.get(number);
    if (!descriptor) return;
    if (/^(p?writev?(64)?|ftruncate|fsync|fdatasync)$/.test(call.name)) changeFile(call, descriptor);
    else throw new Error(`The recorder does not know the system call ${call.name}.`);
  }

  return {
    disk,
    add(calls) {
      descriptors = new Map();
      for (const call of calls) {
        if (Number.isNaN(call.result) && wasWritten(call)) call.result = textsIn(call)[0]?.length ?? 0;
        if (!(call.result >= 0)) continue;
        if (call.name === 'openat') open(call);
        else if (/^(mkdir|rmdir|unlink|rename|link)/.test(call.name)) changeEntries(call);
        // Closing a file is not recorded, to save time. Later, a socket or pipe can have the same number.
        else if (!pathOf(call).startsWith('/')) continue;
        else if (call.name === 'copy_file_range' || call.name === 'sendfile') copy(call);
        else addToFile(call);
      }
      compare(folder, root);
    },
  };
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
  const recorded = [...folder.entries.keys()].sort();
  if (names.join() !== recorded.join()) throw new Error(`${path} contains ${names}, but ${recorded} was recorded.`);
  for (const [name, node] of folder.entries) {
    const child = join(path, name);
    if (node.kind === 'folder') compare(node, child);
    // SQLite's shared memory is mapped, so writes to it cannot be recorded. SQLite clears it after a power failure.
    else if (!name.endsWith('-shm') && !contentOf(node).equals(readFileSync(child)))
      throw new Error(`The recorded content of ${child} differs from the file.`);
  }
}

function newFolder(): RecordedFolder {
  return { kind: 'folder', changes: [], entries: new Map() };
}

/**
 * Returns the content of a file after the given changes.
 *
 * @param changes changes, in the order in which they were made
 */
export function applyChanges(changes: Iterable<FileChange>): Buffer {
  let content = Buffer.alloc(0);
  let size = 0;
  const reserve = (needed: number) => {
    if (needed <= content.length) return;
    const larger = Buffer.alloc(Math.max(needed, 2 * content.length));
    content.copy(larger, 0, 0, size);
    content = larger;
  };
  for (const change of changes) {
    if ('size' in change) {
      reserve(change.size);
      content.fill(0, Math.min(size, change.size));
      size = change.size;
    } else {
      reserve(change.offset + change.data.length);
      change.data.copy(content, change.offset);
      size = Math.max(size, change.offset + change.data.length);
    }
  }
  return content.subarray(0, size);
}

const contentOf = ({ changes }: RecordedFile): Buffer => applyChanges(changes);
const sizeOf = (file: RecordedFile): number => contentOf(file).length;
