import { spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Sends a signal to all processes that work in a folder or below it. Such a folder stands for a machine, or for one of
 * its programs.
 */
export function signalProcesses(folder: string, signal: NodeJS.Signals): void {
  for (const pid of processesIn(folder)) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended.
    }
  }
}

/** Kills all processes of a folder at once, as if the machine failed, and waits until they have ended. */
export async function killProcesses(folder: string): Promise<void> {
  // The processes are suspended first, so that they start no new ones while the test kills the existing ones.
  for (const signal of ['SIGSTOP', 'SIGSTOP', 'SIGKILL'] as const) signalProcesses(folder, signal);
  await haveEnded(folder);
}

/** Waits until no process works in a folder. */
export async function haveEnded(folder: string): Promise<void> {
  while (processesIn(folder).length > 0) await sleep(20);
}

/** Kills the processes of a folder and deletes it as soon as the test process dies for any reason. */
export function watchFolder(folder: string): { end(): void } {
  const script = `cat >/dev/null
for p in /proc/[0-9]*; do case "$(readlink "$p/cwd")" in "$1"*) kill -KILL "\${p#/proc/}" ;; esac; done
rm -rf "$1"`;
  const watch = spawn('/bin/sh', ['-c', script, 'sh', folder], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Ends the whole process group, including `cat`.
  return { end: () => process.kill(-(watch.pid as number)) };
}

function processesIn(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => workingFolder(pid).startsWith(folder)).map(Number);
}

function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // The process has ended or belongs to another user.
    return '';
  }
}
