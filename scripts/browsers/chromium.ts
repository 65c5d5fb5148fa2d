import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { type Cdp, cdpOverPipe } from './cdp.ts';

export interface ChromiumOptions {
  executable: string;
  /** Profile folder of the browser. It is created if it does not exist. */
  profile: string;
  extension: string;
  args?: string[];
  env?: NodeJS.ProcessEnv;
}

export interface Chromium {
  cdp: Cdp;
  process: ChildProcess;
  extensionId: string;
  /** Resolves when the browser has exited for any reason. */
  ended: Promise<unknown>;
  close(): Promise<void>;
  /** Kills all of the browser's processes with SIGKILL. */
  kill(): Promise<void>;
}

/** Starts Chromium with the extension loaded. The browser exits when this process closes the pipe to it. */
export async function startChromium(options: ChromiumOptions): Promise<Chromium> {
  const child = spawn(
    options.executable,
    [
      `--user-data-dir=${options.profile}`,
      `--load-extension=${options.extension}`,
      `--disable-extensions-except=${options.extension}`,
      '--remote-debugging-pipe',
      '--enable-unsafe-extension-debugging',
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-search-engine-choice-screen',
      '--hide-crash-restore-bubble',
      '--password-store=basic',
      '--use-mock-keychain',
      ...(options.args ?? []),
    ],
    // Runs in a separate process group, so that one signal kills all processes of the browser.
    { detached: true, env: options.env ?? process.env, stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const ended = once(child, 'exit');
  const cdp = cdpOverPipe(child.stdio[3] as Writable, child.stdio[4] as Readable);
  try {
    const extensionId = await loadedExtension(cdp, options.extension);
    return { cdp, process: child, extensionId, ended, close, kill };
  } catch (error) {
    await kill();
    throw new Error(`${options.executable} could not be started with the extension`, { cause: error });
  }

  async function close() {
    // The browser may exit before it responds.
    await cdp.send('Browser.close').catch(() => {});
    await ended;
  }

  async function kill() {
    if (child.pid === undefined) throw new Error(`${options.executable} could not be started`);
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
}

/**
 * Returns the id of the extension in `folder`. Chromium loads the extension with a command-line flag, which preserves
 * permissions that the user granted earlier. Google Chrome ignores this flag, so this function then loads the
 * extension with a DevTools command.
 */
async function loadedExtension(cdp: Cdp, folder: string): Promise<string> {
  const { extensions } = await cdp.send<{ extensions: { id: string; path: string }[] }>('Extensions.getExtensions');
  const loaded = extensions.find(({ path }) => path === folder);
  return (loaded ?? (await cdp.send<{ id: string }>('Extensions.loadUnpacked', { path: folder }))).id;
}
