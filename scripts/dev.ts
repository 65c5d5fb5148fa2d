// Starts development mode. On every change, it rebuilds the extension into a folder that is never published, reloads
// the extension in Chromium, and restarts the backend. All data is in dev/. Ctrl-C stops everything.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { reloadExtension } from './browsers/reload.ts';
import { watchExtension } from './dev/watch-extension.ts';
import { readOptions } from './read-options.ts';
import { openBrowser, showProblem } from './start/browser.ts';
import { firstConnectionLink } from './start/first-connection-link.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const usage = 'npm run dev -- [--firefox] [--no-browser]';
const options = readOptions(usage, { firefox: { type: 'boolean' }, 'no-browser': { type: 'boolean' } });
const listen = process.env.TERSE_LISTEN ?? '127.0.0.1:8787';
const backendEnvironment = {
  TERSE_DATABASE: `file:${join(root, 'dev', 'terse.db')}`,
  TERSE_LISTEN: listen,
  TERSE_SHORT_LISTEN: process.env.TERSE_SHORT_LISTEN ?? '127.0.0.1:8788',
};

let isStopping = false;
const stopRequested = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
}).then(() => {
  isStopping = true;
});
mkdirSync(join(root, 'dev'), { recursive: true });
const mode = options.firefox ? 'firefox' : 'chrome';
const extension = join(root, 'dev', mode);
const watchers = await watchExtension({ root, mode, outDir: extension });
const backend = spawn(process.execPath, ['--watch', join(root, 'backend', 'src', 'main.ts'), 'serve'], {
  // Runs in a separate process group, so that Ctrl-C reaches only this parent process, which then stops the backend
  // cleanly.
  detached: true,
  env: { ...process.env, ...backendEnvironment },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const ended = once(backend, 'exit');
// The service creates its database when it starts, so the first key can be created only after the service responds.
await untilHealthy();
const keyFile = join(root, 'dev', 'first-key');
const connectionLink = isStopping ? null : firstConnectionLink(backendEnvironment, `http://${listen}`, keyFile, null);
const hasBrowser = !options.firefox && !options['no-browser'];
const browser = hasBrowser ? await openBrowser(extension, join(root, 'dev', 'chromium')).catch(showProblem) : null;
// Reloading fails if the user has closed the browser.
for (const watcher of watchers)
  watcher.on('event', ({ code }) => void (code === 'END' && browser && reloadExtension(browser).catch(() => {})));

console.log(`
Extension   ${extension}${browser ? ' (loaded, and reloaded after each build)' : ' (load it in your browser)'}
Service     http://${listen}
${connectionLink ? `Connect     ${connectionLink}\n` : ''}Press Ctrl-C to stop.
`);

await stopRequested;
backend.kill('SIGTERM');
await Promise.all([...watchers.map((watcher) => watcher.close()), browser?.close(), ended]);

async function untilHealthy(): Promise<void> {
  const isHealthy = () =>
    fetch(`http://${listen}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!isStopping && !(await isHealthy())) await sleep(100);
}
