import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { provideProgram } from './program.ts';

/** System calls that change files or folders, flush them to the disk, or send data. */
const TRACED = [
  ...['openat', 'write', 'pwrite64', 'writev', 'pwritev', 'ftruncate', 'fallocate', 'fsync', 'fdatasync'],
  ...['rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'mkdir', 'mkdirat', 'rmdir', 'link', 'linkat'],
  ...['symlink', 'symlinkat', 'truncate', 'copy_file_range', 'sendfile'],
];

/** A system call of a traced process. All texts in the parameters are hexadecimal. */
interface SystemCall {
  name: string;
  parameters: string;
  result: number;
}

/**
 * Returns the start of a command line that runs a program and writes its system calls to a file. The program gets the
 * process that the caller has started.
 */
export function tracer(file: string): string[] {
  const options = ['--daemonize', '-f', '-q', '-yy', '-xx', '--seccomp-bpf', '-s', '16777216', '-o', file];
  // strace ignores a name with a question mark if this processor's Linux does not have the call.
  const calls = TRACED.map((name) => `?${name}`).join(',');
  return [provideProgram('strace'), ...options, '-e', `trace=${calls}`];
}

/** Waits until a traced process has ended. Returns its successful system calls in the order in which they ended. */
async function readCalls(file: string): Promise<SystemCall[]> {
  for (;;) {
    const text = readFileSync(file, 'latin1');
    const [, pid] = /^(\d+)/.exec(text) ?? [];
    if (new RegExp(`^${pid} +\\+\\+\\+ `, 'm').test(text.slice(-1000))) return parseCalls(text.split('\n'));
    await sleep(5);
  }
}

function parseCalls(lines: string[]): SystemCall[] {
  const begun = new Map<string, string>();
  return lines.flatMap((line) => {
    const [, thread = '', isResumed, rest = ''] = /^(\d+) +(?:(<\.\.\. )\w+ resumed>)?(.*)$/.exec(line) ?? [];
    const whole = isResumed ? begun.get(thread) + rest : rest;
    if (whole.endsWith(UNFINISHED)) begun.set(thread, whole.slice(0, -UNFINISHED.length));
    const [, name = '', parameters = '', result] = /^(\w+)\((.*)\) += (\d+)/.exec(whole) ?? [];
    return result === undefined ? [] : [{ name, parameters, result: Number(result) }];
  });
}

const UNFINISHED = ' <unfinished ...>';

/** A file with its content in the memory of the system, and with the content that was flushed to the disk. */
interface RecordedFile {
  content: Buffer;
  flushed: Buffer;
}

/** Files and folders by path. */
type Entries = Map<string, RecordedFile | 'folder'>;

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
   * Adds the system calls of a process. The next process must not have started yet.
   *
   * @param file file of `tracer`
   * @param isKilled true if a signal has killed the process during its last calls
   * @param before called before each flush takes effect, and with `response` for each HTTP response that was sent
   * @throws if the recording is incomplete
   */
  add(file: string, isKilled: boolean, before: (event: 'flush' | 'response') => void): Promise<void>;
  remains(loss: Loss): Remains;
}

/** @param root path of a folder that is empty at first. It is also the working directory of all processes. */
export function createRecordedDisk(root: string): RecordedDisk {
  const entries: Entries = new Map([[root, 'folder']]);
  const durable: Entries = new Map(entries);

  function fileAt(path = ''): RecordedFile | null {
    const found = entries.get(path);
    return found && found !== 'folder' ? found : null;
  }

  function changeEntries({ name, parameters }: SystemCall): void {
    const [from = '', to = ''] = pathsIn(parameters, root);
    if (!entries.has(dirname(from))) return;
    const found = fileAt(from);
    if (name.startsWith('mkdir')) entries.set(from, 'folder');
    else if (/^(rename|link)/.test(name) && found) entries.set(to, found);
    else if (name === 'openat') {
      if (!found && parameters.includes('O_CREAT')) entries.set(from, newFile());
      if (found && parameters.includes('O_TRUNC')) found.content = Buffer.alloc(0);
    } else if (!/^(unlink|rmdir)/.test(name)) throw new Error(`The recorder cannot apply ${name} to ${from}.`);
    if (/^(unlink|rmdir|rename)/.test(name)) entries.delete(from);
  }

  function changeFile({ name, parameters, result }: SystemCall, file: RecordedFile): void {
    const last = Number(/(-?\d+)$/.exec(parameters)?.[1]);
    const data = Buffer.concat(textsIn(parameters)).subarray(0, result);
    if (name === 'ftruncate') file.content = Buffer.concat([file.content, Buffer.alloc(last)]).subarray(0, last);
    else if (/^writev?$/.test(name)) file.content = written(file.content, file.content.length, data);
    else if (name === 'pwrite64') file.content = written(file.content, last, data);
    else throw new Error(`The recorder does not know the system call ${name}.`);
  }

  function flush(path: string): void {
    const file = fileAt(path);
    if (file) file.flushed = file.content;
    else for (const child of [...durable.keys()]) if (dirname(child) === path) durable.delete(child);
    for (const [child, entry] of entries) if (dirname(child) === path) durable.set(child, entry);
  }

  function apply(call: SystemCall, before: (event: 'flush' | 'response') => void): void {
    const [path = '', other = ''] = filesIn(call.parameters);
    if (/^(openat|mkdir|rmdir|unlink|rename|link|symlink|truncate)/.test(call.name)) changeEntries(call);
    else if (!path.startsWith('/')) {
      if (/^TCP/.test(path) && textsIn(call.parameters)[0]?.subarray(0, 9).equals(STATUS_LINE)) before('response');
    } else if (!entries.has(path) && !entries.has(other)) return;
    else if (call.name === 'fsync' || call.name === 'fdatasync') {
      before('flush');
      flush(path);
    } else if (call.name === 'copy_file_range' || call.name === 'sendfile') {
      // Only whole files are copied.
      const [source, target] = [path, other].map(fileAt).sort((one, two) => size(two) - size(one));
      if (source && target) target.content = source.content;
    } else changeFile(call, fileAt(path) as RecordedFile);
  }

  /** Compares the recorded disk with the real files. A killed process has written data that it could not report. */
  function compare(isKilled: boolean): void {
    const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name));
    const recorded = [...entries.keys()].filter((path) => path !== root);
    if (found.sort().join() !== recorded.sort().join())
      throw new Error(`${found} exist, but ${recorded} were recorded.`);
    // SQLite's shared memory is mapped, so writes to it cannot be recorded. SQLite clears it after a power failure.
    for (const path of found.filter((path) => !path.endsWith('-shm'))) {
      const file = fileAt(path);
      if (!file || file.content.equals(readFileSync(path))) continue;
      if (!isKilled) throw new Error(`The recorded content of ${path} differs from the file.`);
      file.content = readFileSync(path);
    }
  }

  return {
    async add(file, isKilled, before) {
      for (const call of await readCalls(file)) apply(call, before);
      compare(isKilled);
    },
    remains(loss) {
      const left = loss === 'contents' ? entries : durable;
      const isReachable = (path: string): boolean => path === root || (left.has(path) && isReachable(dirname(path)));
      const reachable = [...left].filter(([path]) => isReachable(path));
      return new Map(
        reachable.flatMap(([path, entry]) =>
          entry === 'folder' ? [] : [[path.slice(root.length + 1), entry.flushed] as const],
        ),
      );
    },
  };
}

const STATUS_LINE = Buffer.from('HTTP/1.1 ');

const size = (file: RecordedFile | null | undefined) => file?.content.length ?? 0;

function newFile(): RecordedFile {
  return { content: Buffer.alloc(0), flushed: Buffer.alloc(0) };
}

/** Returns a copy of a content with other data at an offset. The old content may have been flushed. */
function written(old: Buffer, offset: number, data: Buffer): Buffer {
  const content = Buffer.alloc(Math.max(old.length, offset + data.length));
  old.copy(content);
  data.copy(content, offset);
  return content;
}

/** Returns the texts among the parameters. */
function textsIn(parameters: string): Buffer[] {
  return [...parameters.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => decode(hex));
}

/** Returns the paths among the parameters. A path can be relative to an open folder. */
function pathsIn(parameters: string, root: string): string[] {
  const found = parameters.matchAll(/(?:<([^>]*)>, )?"((?:\\x[0-9a-f]{2})*)"/g);
  return [...found].map(([, base, path = '']) => resolve(base ? `${decode(base)}` : root, `${decode(path)}`));
}

/** Returns the paths of the open files among the parameters. For a connection, this is its protocol. */
function filesIn(parameters: string): string[] {
  return [...parameters.matchAll(/(?:^|, )\d+<([^>[]*)/g)].map(([, file = '']) =>
    file.startsWith('\\x') ? `${decode(file)}` : file,
  );
}

function decode(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}
