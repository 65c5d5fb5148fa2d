import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { provideProgram } from '../program.ts';

/** System calls that change files or folders, flush them to disk, or send data. */
const TRACED = [
  ...['openat', 'write', 'pwrite64', 'writev', 'pwritev', 'ftruncate', 'fallocate', 'fsync', 'fdatasync'],
  ...['rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'mkdir', 'mkdirat', 'rmdir', 'link', 'linkat'],
  ...['symlink', 'symlinkat', 'truncate', 'copy_file_range', 'sendfile', 'sendto', 'sendmsg', 'dup', 'dup2', 'dup3'],
];

/** A system call of a traced process. */
export interface SystemCall {
  name: string;
  /** Arguments in strace's notation, in which all texts are hexadecimal. */
  parameters: string;
  /** Return value. NaN if the process was killed during the call. */
  result: number;
  /** Position of the start and of the end of the call among all starts and ends. A killed process ends its calls. */
  at: number;
  end: number;
}

/**
 * Returns the start of a command line that runs a program and writes its system calls to a file. The program's process
 * is a direct child of the caller.
 */
export function tracer(file: string): string[] {
  const options = ['--daemonize', '-f', '-q', '-yy', '-xx', '--seccomp-bpf', '-s', '16777216', '-o', file];
  // strace ignores a name with a question mark if this processor's Linux does not have the call.
  const calls = TRACED.map((name) => `?${name}`).join(',');
  return [provideProgram('strace'), ...options, '-e', `trace=${calls}`];
}

/** Settings of a traced process. strace does not see file accesses through io_uring. */
export const TRACED_ENVIRONMENT = { UV_USE_IO_URING: '0' };

/**
 * Waits until a traced process has ended, and returns its system calls in the order in which they started.
 *
 * @param from position of the first call
 */
export async function readCalls(file: string, pid: number, from: number): Promise<SystemCall[]> {
  const isEnd = new RegExp(`^${pid} +\\+\\+\\+ `, 'm');
  let text = readFileSync(file, 'latin1');
  while (!isEnd.test(text.slice(-1000))) {
    await sleep(5);
    text = readFileSync(file, 'latin1');
  }
  return parseCalls(text.split('\n'), from);
}

function parseCalls(lines: string[], from: number): SystemCall[] {
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, SystemCall>();
  for (const [index, line] of lines.entries()) {
    const at = from + index;
    const [, thread = '', isResumed, name = '', rest = ''] =
      /^(\d+) +(?:(<\.\.\. )\w+ resumed>|(\w+)\()(.*)$/.exec(line) ?? [];
    if (isResumed) {
      const call = unfinished.get(thread);
      if (!call) throw new Error(`The start of a system call is missing: ${line.slice(0, 200)}`);
      unfinished.delete(thread);
      finish(call, call.parameters + rest, at);
    } else if (name !== '') {
      const call = { name, parameters: rest, result: Number.NaN, at, end: from + lines.length };
      calls.push(call);
      if (rest.endsWith(UNFINISHED)) {
        call.parameters = rest.slice(0, -UNFINISHED.length);
        unfinished.set(thread, call);
      } else finish(call, rest, at);
    }
  }
  return calls;
}

const UNFINISHED = ' <unfinished ...>';

function finish(call: SystemCall, text: string, end: number): void {
  const result = text.lastIndexOf(') ');
  call.parameters = text.slice(0, result);
  call.result = Number.parseInt(text.slice(result).replace(/^\) += /, ''), 10);
  call.end = end;
}

/** Returns the texts among the arguments. Several parts of one write are one text. */
export function textsIn({ parameters }: SystemCall): Buffer[] {
  return [...parameters.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => decode(hex));
}

/** Returns the path of the file that a call uses. It does not start with a slash if the call uses a socket or pipe. */
export function pathOf({ parameters }: SystemCall): string {
  return decode(/^\d+<([^>]*)>/.exec(parameters)?.[1] ?? '').toString();
}

/** Returns the local and the remote port of the TCP connection to which a process writes. Null if it is a file. */
export function portsOf({ parameters }: SystemCall): string | null {
  return /^\d+<TCP[^[]*\[.*?:(\d+->.*?:\d+)\]>/.exec(parameters)?.[1] ?? null;
}

function decode(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}
