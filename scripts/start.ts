// Starts everything for one user on one machine: builds the extension, starts the backend with a database in ./data,
// creates a first API key, and opens a browser with the extension. `npm start -- --no-browser` opens no browser.
// Ctrl-C stops everything.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBackendCommand, startBackendProcess } from './backend-process.ts';
import { readOptions } from './read-options.ts';
import { isConnected, openBrowser, showPage, showProblem } from './start/browser.ts';
import { buildIfNeeded } from './start/build.ts';
import { firstConnectionLink } from './start/first-connection-link.ts';
import { greeting } from './start/greeting.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const options = readOptions('npm start -- [--no-browser]', { 'no-browser': { type: 'boolean' } });
const environment = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[0].startsWith('TERSE_')),
);

try {
  await main();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(message);
  if (message.includes('EADDRINUSE')) {
    console.error(
      'Another program already uses this address, perhaps another `npm start`. Stop it, or set TERSE_LISTEN and ' +
        'TERSE_SHORT_LISTEN to other addresses, such as 127.0.0.1:9787 and 127.0.0.1:9788.',
    );
  }
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const stopRequested = new Promise<'asked'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('asked'));
  });
  buildIfNeeded(root);
  const onLog = (line: string) => void (line.includes('"level":"info"') || console.error(line));
  const backend = await startBackendProcess(environment, { detached: true, onLog });
  const { baseUrl, shortBaseUrl } = backend.addresses;
  const browser = options['no-browser']
    ? null
    : await openBrowser(join(root, 'dist', 'chrome'), resolve('data', 'chromium')).catch(showProblem);
  const hasConnected = browser && (await isConnected(browser).catch(showProblem));
  const connectionLink = firstConnectionLink(environment, baseUrl, resolve('data', 'first-key'), hasConnected);
  if (browser) await showPage(browser, connectionLink).catch(showProblem);
  // Setup link for the dashboard. It is printed here because the backend's own output is hidden. Null if the
  // dashboard already has an account.
  const setupLink = runBackendCommand({ ...environment, TERSE_BASE_URL: baseUrl }, 'accounts', 'setup') || null;
  console.log(greeting({ baseUrl, shortBaseUrl, root, connectionLink, setupLink, isBrowserOpen: browser !== null }));

  const reason = await Promise.race([stopRequested, backend.ended]);
  await browser?.close();
  await backend.end('SIGTERM');
  if (reason !== 'asked') throw new Error(`The backend exited unexpectedly with code ${reason[0]}.`);
}
