import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium as playwright } from 'playwright-core';
import { type Chromium, startChromium } from '../../../scripts/browsers/chromium.ts';
import { findChromium } from '../../../scripts/browsers/find.ts';
import { tempFolder } from './temp.ts';
import { until } from './until.ts';

/** File in the profile that contains the browser's debugging port and path. */
const PORT_FILE = 'DevToolsActivePort';

export const WELCOME = 'src/pages/welcome/';

export interface LaunchOptions {
  /** Folder of the unpacked extension. Chromium derives the extension's id from the folder's path. */
  extension: string;
  /** Profile folder of an earlier launch, whose data the browser uses again. */
  profile?: string;
  /** Host names that resolve to loopback. No other name resolves. */
  hosts?: string[];
  /** Loopback port for each host name. Requests to any port of the host go to the loopback port. */
  ports?: Record<string, number>;
  /** X display for the browser's window. Without a display, the browser is headless. */
  display?: string;
  /** True to keep the welcome page open. By default, the page is closed before the test begins. */
  welcome?: boolean;
  /** Host and port of a proxy for all requests, including requests to loopback. */
  proxy?: string;
}

export interface Browser extends Chromium {
  profile: string;
  /**
   * Playwright's browser context. Extension windows such as the popup are only visible to a connection that is made
   * after they open.
   */
  context: BrowserContext;
  connect(): Promise<BrowserContext>;
}

/** Starts a temporary Chromium that can only reach loopback. */
export async function launchChromium(options: LaunchOptions): Promise<Browser> {
  const executable = findChromium();
  if (!executable) throw new Error('Chromium was not found. Run `npm test` to install it.');
  const profile = options.profile ?? tempFolder('profile');
  // A killed browser does not delete this file.
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

/** Closes the welcome page. The page opens only with a new profile and a current build. */
async function closeWelcome(context: BrowserContext, { extension, profile }: LaunchOptions): Promise<void> {
  if (profile !== undefined || !existsSync(join(extension, WELCOME))) return;
  const page = await until('the welcome page', () => context.pages().find((one) => one.url().includes(WELCOME)));
  await page.close();
}

/**
 * Returns arguments that keep a browser off the network and allow starting in containers. The names in `hosts`
 * resolve to loopback.
 */
export function quietArguments(hosts: string[], ports: Record<string, number> = {}): string[] {
  return [
    // Chromium's sandbox does not work for root, in containers, and on systems that restrict user namespaces.
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
