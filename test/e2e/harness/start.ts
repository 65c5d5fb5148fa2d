import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { until } from './until.ts';

const START = fileURLToPath(new URL('../../../scripts/start.ts', import.meta.url));

/** Runs `npm start` with its data in `folder`. By default, the backend uses free ports and no browser opens. */
export function start(folder: string, environment: Record<string, string> = {}) {
  const free = { TERSE_LISTEN: '127.0.0.1:0', TERSE_SHORT_LISTEN: '127.0.0.1:0' };
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...inherited } = process.env;
  const child = spawn(process.execPath, [START], { cwd: folder, env: { ...inherited, ...free, ...environment } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  /** Sends Ctrl-C and returns the exit code. */
  const stop = () => {
    child.kill('SIGINT');
    return ended;
  };
  onTestFinished(() => void stop());
  return {
    ended,
    stop,
    output: () => output,
    /**
     * Waits long enough for a build, because `npm start` builds first if the sources are newer than the last build.
     */
    untilPrinted: (words: string) => until(`"${words}"`, () => output.includes(words), 110_000),
  };
}
