import { existsSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, type ConnectOverCDPOptions, type Page, chromium as playwright } from 'playwright-core';
import { type Chromium, startChromium } from '../../../scripts/browsers/chromium.ts';
import { requireChromium } from '../../../scripts/browsers/find.ts';
import { evaluateIn, killWorker, type Target, targets, workerOf } from '../../../scripts/browsers/targets.ts';
import type { BrowserPage, BrowserUnderTest, ExtensionPage } from './browser-under-test.ts';
import { tempFolder, WELCOME } from './folders.ts';
import { startSite } from './site.ts';
import { until } from './until.ts';

/** File in the profile that contains the browser's debugging port and path. */
const PORT_FILE = 'DevToolsActivePort';

export interface ChromiumOptions {
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

/** A Chromium whose pages have all of Playwright's methods. */
export interface ChromiumUnderTest extends BrowserUnderTest {
  /** The running browser. It changes when the browser starts again. */
  readonly running: Running;
  openTab(url: string): Promise<Page>;
  openExtensionPage(page: ExtensionPage): Promise<Page>;
  openPopup(over: BrowserPage): Promise<Page>;
}

interface Running extends Chromium {
  /**
   * Playwright's browser context. Extension windows such as the popup are only visible to a connection that is made
   * after they open.
   */
  context: BrowserContext;
}

/** Starts a temporary Chromium that can only reach loopback. */
export async function launchChromium(options: ChromiumOptions): Promise<ChromiumUnderTest> {
  const profile = options.profile ?? tempFolder('profile');
  let running = await run(options, profile);
  if (!options.welcome && !options.profile && existsSync(join(options.extension, WELCOME))) {
    // The page opens only with a new profile and a current build.
    const welcome = () => running.context.pages().find((one) => one.url().includes(WELCOME));
    await (await until('the welcome page', welcome)).close();
  }
  const urlOf = (page: ExtensionPage) => `chrome-extension://${running.extensionId}/src/pages/${page}/index.html`;

  const worker = () => workerOf(running);

  async function openTab(url: string): Promise<Page> {
    const page = await running.context.newPage();
    await page.goto(url);
    return page;
  }

  /** Opens an extension page in a new tab. Retries while the extension is reloading. */
  function openExtensionPage(page: ExtensionPage): Promise<Page> {
    return until(`the extension's page ${page}`, async () => {
      const tab = await running.context.newPage();
      try {
        await tab.goto(urlOf(page));
        return tab;
      } catch (error) {
        await tab.close().catch(() => {});
        if (!String(error).includes('ERR_BLOCKED_BY_CLIENT')) throw error;
        return null;
      }
    });
  }

  /** Clicks the toolbar button over a tab, which gives the extension access to the tab. */
  async function clickAction(url: string): Promise<void> {
    const tab = await until(`a tab at ${url}`, async () =>
      (await targets(running.cdp, 'tab')).find((target) => target.url === url),
    );
    await running.cdp.send('Extensions.triggerAction', { id: running.extensionId, targetId: tab.targetId });
  }

  const isPopupOpen = async () =>
    (await targets(running.cdp)).some(({ type, url }) => type === 'page' && url.startsWith(urlOf('popup')));

  async function popup(): Promise<Page> {
    await until('the popup to open', isPopupOpen);
    // With the defaults, this connection would also take over the downloads of all pages.
    const context = await connect(profile, { noDefaults: true });
    return until('the popup in the list of pages', () =>
      context.pages().find((page) => page.url().startsWith(urlOf('popup'))),
    );
  }

  /** Wakes the background worker with a message from an extension page, then evaluates an expression in the worker. */
  async function inBackground<T>(expression: string): Promise<T> {
    if (!(await worker())) {
      const page = await openExtensionPage('options');
      await until('the worker to wake', worker);
      await page.close();
    }
    const awake = await until('the worker to be awake', worker);
    // Chromium lists a starting background worker before its extension APIs exist.
    await until('the worker to be ready', () => evaluateIn<boolean>(running.cdp, awake, "'chrome' in self"));
    return evaluateIn<T>(running.cdp, awake, expression);
  }

  /** Uses the clipboard on a page on loopback, because only pages of secure origins can use it. Closes open popups. */
  async function onClipboard<T>(permission: string, use: (page: Page) => Promise<T>): Promise<T> {
    const site = await startSite();
    await running.context.grantPermissions([permission], { origin: site.origin });
    const page = await openTab(site.origin);
    const result = await use(page);
    await Promise.all([page.close(), site.close()]);
    return result;
  }

  return {
    name: 'Chromium',
    profile,
    get running() {
      return running;
    },
    openTab,
    openExtensionPage,
    tabAt: (part) => until(`a tab at ${part}`, () => running.context.pages().find((page) => page.url().includes(part))),
    async openPopup(over) {
      await over.bringToFront();
      await clickAction((over as Page).url());
      return popup();
    },
    popup,
    isPopupOpen,
    async clickMenu(tab, clicked) {
      const page = tab as Page;
      const about = { url: page.url(), title: await page.title(), incognito: false };
      // The extension APIs exist before the background worker has run its code, so wait for its listener.
      const event = 'chrome.contextMenus.onClicked';
      await until('the worker to register its listener', () => inBackground<boolean>(`${event}.hasListeners()`));
      await inBackground(`${event}.dispatch(${JSON.stringify(clicked)}, ${JSON.stringify(about)})`);
    },
    async saved(page, save) {
      const [download] = await Promise.all([(page as Page).waitForEvent('download'), save()]);
      return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
    },
    clipboard: () => onClipboard('clipboard-read', (page) => page.evaluate(() => navigator.clipboard.readText())),
    copyElsewhere: (text) =>
      onClipboard('clipboard-write', (page) => page.evaluate((copied) => navigator.clipboard.writeText(copied), text)),
    inBackground,
    killBackground: () => killWorker(running),
    isBackgroundAwake: async () => (await worker()) !== undefined,
    async goOffline() {
      // Only an awake background worker can be disconnected.
      await inBackground('chrome.runtime.getPlatformInfo()');
      const { cdp } = running;
      const { targetId } = await until('the worker to be awake', worker);
      const { sessionId } = await cdp.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
      const emulate = (offline: boolean) =>
        cdp.send('Network.emulateNetworkConditions', { offline, ...UNLIMITED }, sessionId);
      await cdp.send('Network.enable', {}, sessionId);
      await emulate(true);
      return async () => {
        await emulate(false);
        await cdp.send('Target.detachFromTarget', { sessionId });
      };
    },
    async clearDatabase() {
      const page = await openExtensionPage('options');
      const session = await page.context().newCDPSession(page);
      const { origin } = new URL(page.url());
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
      await page.close();
    },
    async allowInPrivateWindows() {
      const settings = await openTab('chrome://extensions/');
      await settings.evaluate(allowInPrivateWindows, running.extensionId);
      await settings.close();
      // Chromium restarts the extension. Afterwards, only an extension page can wake the background worker.
      const page = await until('the extension to restart', () => openExtensionPage('options').catch(() => null));
      await page.close();
    },
    async openPrivateWindow(url) {
      const create = `chrome.windows.create({ incognito: true, url: ${JSON.stringify(url)} }).then(({ id }) => id)`;
      const id = await inBackground<number>(create);
      await clickAction(url);
      const opened = await popup();
      return {
        popup: opened,
        async close() {
          await opened.close().catch(() => undefined);
          await inBackground(`chrome.windows.remove(${id}).then(() => true)`);
        },
      };
    },
    close: () => running.close(),
    kill: () => running.kill(),
    async start() {
      running = await run(options, profile);
    },
  };
}

const UNLIMITED = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** Runs in chrome://extensions, so it cannot use anything outside its body. */
async function allowInPrivateWindows(extensionId: string): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: the page's own interface, which has no types.
  const { developerPrivate } = (globalThis as any).chrome;
  // Without developer mode, Chromium does not restart an extension that was not installed from a store.
  await developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
  await developerPrivate.updateExtensionConfiguration({ extensionId, incognitoAccess: true });
}

async function run(options: ChromiumOptions, profile: string): Promise<Running> {
  // A killed browser does not delete this file.
  rmSync(join(profile, PORT_FILE), { force: true });
  const chromium = await startChromium({
    executable: requireChromium(),
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
  return { ...chromium, context: await connect(profile) };
}

/**
 * Starts a headless Chromium that is controlled only through its debugging pipe. A browser driver would attach to the
 * background worker, delay its start and keep it alive.
 */
export function startWithoutDriver(
  extension: string,
  { profile = tempFolder('profile'), hosts = [] }: Pick<ChromiumOptions, 'profile' | 'hosts'> = {},
): Promise<Chromium> {
  const args = ['--headless=new', ...quietArguments(hosts), 'about:blank'];
  return startChromium({ executable: requireChromium(), profile, extension, args });
}

/** A page of a browser without a driver. */
export interface PipedPage {
  evaluate<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

export function pipedPage({ cdp }: Chromium, target: Target): PipedPage {
  return {
    evaluate: (expression) => evaluateIn(cdp, target, expression),
    close: () => cdp.send<void>('Target.closeTarget', { targetId: target.targetId }),
  };
}

/** Opens a URL in a new tab of a browser without a driver, and waits until the page is loaded. */
export async function openPiped(browser: Chromium, url: string): Promise<PipedPage> {
  const { targetId } = await browser.cdp.send<{ targetId: string }>('Target.createTarget', { url });
  const page = pipedPage(browser, { targetId, type: 'page', url });
  const isLoaded = `location.href !== 'about:blank' && document.readyState === 'complete'`;
  await until(`${url} to load`, () => page.evaluate<boolean>(isLoaded).catch(() => false));
  return page;
}

/**
 * Returns arguments that keep a browser off the network and allow starting in containers. The names in `hosts`
 * resolve to loopback.
 */
function quietArguments(hosts: string[], ports: Record<string, number> = {}): string[] {
  const rules = [
    ...hosts.map((host) => `MAP ${host} 127.0.0.1`),
    ...Object.entries(ports).map(([host, port]) => `MAP ${host} 127.0.0.1:${port}`),
    ...['MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1', 'EXCLUDE localhost'],
  ];
  return [
    // Chromium's sandbox does not work for root, in containers, and on systems that restrict user namespaces.
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--disable-component-update',
    '--disable-sync',
    '--disable-features=Translate,OptimizationHints,MediaRouter',
    `--host-resolver-rules=${rules.join(', ')}`,
  ];
}

async function connect(profile: string, options: ConnectOverCDPOptions = {}): Promise<BrowserContext> {
  const file = join(profile, PORT_FILE);
  const [port, path] = await until('the DevTools port', () => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    return lines.length === 2 && lines;
  });
  const [context] = (await playwright.connectOverCDP(`ws://127.0.0.1:${port}${path}`, options)).contexts();
  if (!context) throw new Error('The browser has no default context');
  return context;
}
