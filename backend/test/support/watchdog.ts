import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Starts a watchdog process that survives the test process. When the test process dies for any reason, the watchdog
 * sends another process a signal and deletes a folder. The watchdog notices because its input pipe closes.
 */
export function watchdog(child: ChildProcess, signal: 'INT' | 'TERM' | 'KILL', folder: string): { end(): void } {
  const script = 'cat >/dev/null; kill -"$2" "$1"; while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; rm -rf "$3"';
  const watch = spawn('/bin/sh', ['-c', script, 'sh', String(child.pid), signal, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Ends the whole process group, including `cat`.
  return { end: () => process.kill(-(watch.pid as number)) };
}
