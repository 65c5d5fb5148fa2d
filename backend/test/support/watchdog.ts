import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Outlives this process, however it dies, and then ends another one by a signal and removes a folder: the pipe it reads
 * from closes with us.
 */
export function watchdog(child: ChildProcess, signal: 'INT' | 'TERM' | 'KILL', folder: string): { end(): void } {
  const script = 'cat >/dev/null; kill -"$2" "$1"; while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; rm -rf "$3"';
  const watch = spawn('/bin/sh', ['-c', script, 'sh', String(child.pid), signal, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Its whole group, `cat` included.
  return { end: () => process.kill(-(watch.pid as number)) };
}
