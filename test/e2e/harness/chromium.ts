import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium as playwright } from 'playwright-core';
import { type Chromium, startChromium } from '../../../scripts/browsers/chromium.ts';
import { findChromium } from '../../../scripts/browsers/find.ts';
import { tempFolder } from './temp.ts';
import { until } from './until.ts';

/** File in the profile into which the browser writes its debugging port and path. */
const PORT_FILE = 'DevToolsActivePort';

/** Location of the welcome page in the build. */
export const WELCOME = 'src/pages/welcome/';

export interface LaunchOptions {
  /** Folder of the unpacked extension. The same folder gives the same extension at the next launch. */
  extension: string;
  /** Folder of an earlier launch, to find its data again. */
  profile?: string;
  /** Host names that resolve to loopback. No other name resolves. */
  hosts?: string[];
  /** Host names that are redirected to a loopback port, regardless of the requested port. */
  ports?: Record<string, number>;
  /** X display for the window. Headless if omitted. */
  display?: string;
  /** Keeps the welcome page open. Otherwise it is closed before the test begins. */
  welcome?: boolean;
  /** Host and port of a proxy for all requests, including loopback. */
  proxy?: string;
}

export interface Browser extends Chromium {
  profile: string;
  /** Playwright's context. The browser's own windows, such as a popup, need a connection made after they open. */
  context: BrowserContext;
  connect(): Promise<BrowserContext>;
}

/** Starts a temporary Chromium that reaches only loopback. */
export async function launchChromium(options: LaunchOptions): Promise<Browser> {
  const executable = findChromium();
  if (!executable) throw new Error('Chromium was not found. Run `npm test` to install it.');
  const profile = options.profile ?? tempFolder('profile');
  // A killed browser leaves it behind.
  rmSync(join(profile, PORT_FILE), { force: true });
  const chromium = await startChromium({
    executable,
    profile,
    extension: options.extension,
    args: [
      ...(options.display ? ['--window-position=0,0', '--window-size=1200,850'] : ['--headless=new']),
      '--remote-debugging-port=0',
      ...quietArguments(options.hosts ?? [], options.ports),
      ...(options.proxy ? [`--proxy-server=${options.proxy}`, '--proxy-bypass-list=<-loopback>'] : []),
      'about:blank',
    ],
    env: { ...process.env, ...(options.display && { DISPLAY: options.display }) },
  });
  const connect = async () => {
    const driver = await playwright.connectOverCDP(await debuggerAddress(profile));
    const [context] = driver.contexts();
    if (!context) throw new Error('The browser has no default context');
    return context;
  };
  const context = await connect();
  if (!options.welcome) await closeWelcome(context, options);
  return { ...chromium, profile, context, connect };
}

/** Closes the welcome page. Used profiles and old releases do not open it. */
async function closeWelcome(context: BrowserContext, { extension, profile }: LaunchOptions): Promise<void> {
  if (profile !== undefined || !existsSync(join(extension, WELCOME))) return;
  const page = await until('the page for a new person', () =>
    context.pages().find((one) => one.url().includes(WELCOME)),
  );
  await page.close();
}

/** Arguments that keep a browser off the network and let it start anywhere. `hosts` resolve to loopback. */
export function quietArguments(hosts: string[], ports: Record<string, number> = {}): string[] {
  return [
    // Tests run as root, in containers and on systems that restrict user namespaces.
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--disable-component-update',
    '--disable-sync',
    '--disable-features=Translate,OptimizationHints,MediaRouter',
    `--host-resolver-rules=${resolverRules(hosts, ports)}`,
  ];
}

function resolverRules(hosts: string[], ports: Record<string, number>): string {
  const mapped = [
    ...hosts.map((host) => `MAP ${host} 127.0.0.1`),
    ...Object.entries(ports).map(([host, port]) => `MAP ${host} 127.0.0.1:${port}`),
  ];
  return [...mapped, 'MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1', 'EXCLUDE localhost'].join(', ');
}

async function debuggerAddress(profile: string): Promise<string> {
  const file = join(profile, PORT_FILE);
  const [port, path] = await until('the DevTools port', () => {
    try {
      const lines = readFileSync(file, 'utf8').split('\n');
      return lines.length === 2 && lines;
    } catch {
      return null;
    }
  });
  return `ws://127.0.0.1:${port}${path}`;
}
