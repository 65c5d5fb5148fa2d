import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import { findFirefox } from '../../../scripts/browsers/find.ts';
import { GECKO_ID } from '../../../scripts/build/manifest.ts';
import { readFiles, zipFiles } from '../../../scripts/build/zip.ts';
import { browserScope } from './firefox-scope.ts';
import type { ExtensionPage } from './pages.ts';
import { tempFolder } from './temp.ts';
import { until } from './until.ts';

/** The extension's address is random in an ordinary profile; here it is chosen. */
const UUID = '5e8dc0de-0000-4000-8000-000000000000';

export interface Firefox {
  openTab(url: string): Promise<Page>;
  openExtensionPage(page: ExtensionPage): Promise<Page>;
  /** Clicks the extension's button in the toolbar, which opens its popup on the tab in front and grants it that tab. */
  openPopup(): Promise<FirefoxPopup>;
  /** Right-clicks a page and chooses the extension's item of that name from the menu. */
  chooseFromMenu(page: Page, x: number, y: number, item: string): Promise<void>;
  /** The clipboard's text. */
  clipboard(): Promise<string>;
  /** Ends the background's event page as the browser ends an idle one. */
  killBackground(): Promise<void>;
  isBackgroundAwake(): Promise<boolean>;
  close(): Promise<void>;
  /** SIGKILL to every process of the browser at once. */
  kill(): Promise<void>;
}

export interface FirefoxPopup {
  /** Evaluates an expression in which `popup` is the popup's window. */
  evaluate<T>(expression: string): Promise<T>;
  /** Without a screen it does not close by itself when another tab is turned to. */
  close(): Promise<void>;
}

export interface FirefoxOptions {
  /** Folder of the built extension. */
  extension: string;
  /**
   * Folder of the profile. The extension is installed in it for good, over whatever version is there; without one it
   * is installed until this browser ends.
   */
  profile?: string;
  /** Host names that lead to loopback. Nothing but loopback is reached. */
  hosts?: string[];
  /** The X display to open windows on; without one there are none. */
  display?: string;
}

/** Starts a Firefox with the extension. */
export async function launchFirefox(options: FirefoxOptions): Promise<Firefox> {
  const executable = await findFirefox();
  if (!executable) throw new Error('No Firefox was found: run the tests with `npm test`, which provides one');
  if (options.profile) installInto(options.profile, options.extension);
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: executable,
    userDataDir: options.profile ?? tempFolder('firefox'),
    headless: options.display === undefined,
    // A busy machine takes long.
    timeout: 120_000,
    env: options.display === undefined ? process.env : { ...process.env, DISPLAY: options.display },
    // The browser's own windows and its extension management are driven, too.
    args: ['--remote-allow-system-access'],
    extraPrefsFirefox: {
      // The question whether an origin may be reached is answered with yes.
      'extensions.webextOptionalPermissionPrompts': false,
      'extensions.webextensions.uuids': JSON.stringify({ [GECKO_ID]: UUID }),
      // An extension that nobody has signed, put into the profile by hand, is switched on.
      'xpinstall.signatures.required': false,
      'extensions.autoDisableScopes': 0,
      ...loopbackOnly(options.hosts ?? []),
    },
  });
  if (!options.profile) await browser.installExtension(options.extension);
  const inBrowser = await browserScope(browser);

  /** Navigation to an extension's page never settles in the driver: what is loaded is asked instead. */
  async function openExtensionPage(name: ExtensionPage): Promise<Page> {
    const url = `moz-extension://${UUID}/src/${name}/index.html`;
    const page = await browser.newPage();
    page.goto(url).catch(() => {});
    await until(`${url} to load`, () =>
      page.evaluate((wanted) => location.href === wanted && document.readyState === 'complete', url).catch(() => false),
    );
    return page;
  }

  return {
    openExtensionPage,
    async openTab(url) {
      const page = await browser.newPage();
      await page.goto(url);
      return page;
    },
    async openPopup() {
      const front = await inBrowser<string>('gBrowser.selectedBrowser.currentURI.spec');
      // A page of the extension in another tab sees the windows of its popups.
      const witness = await openExtensionPage('links');
      const isFront = `(tab) => tab.linkedBrowser.currentURI.spec === ${JSON.stringify(front)}`;
      await inBrowser(`void (gBrowser.selectedTab = gBrowser.tabs.find(${isFront}))`);
      await inBrowser(`${EXTENSION_PARENT}.apiManager.global.browserActionFor(${EXTENSION}).triggerAction(window)`);
      const evaluate = <T>(expression: string) =>
        witness.evaluate(
          `(async (popup) => (${expression}))(browser.extension.getViews({ type: 'popup' })[0])`,
        ) as Promise<T>;
      await until('the popup to load', () => evaluate<boolean>("popup?.document.readyState === 'complete'"));
      return { evaluate, close: () => evaluate<void>('popup.close()') };
    },
    async chooseFromMenu(page, x, y, item) {
      await page.bringToFront();
      await page.mouse.click(x, y, { button: 'right' });
      await until('the menu to open', () => inBrowser<boolean>(`${MENU}.state === 'open'`));
      const isItem = `(entry) => entry.label === ${JSON.stringify(item)}`;
      await inBrowser(`${MENU}.activateItem([...${MENU}.querySelectorAll('menuitem')].find(${isItem}))`);
    },
    clipboard: () => inBrowser<string>('navigator.clipboard.readText()'),
    async killBackground() {
      await inBrowser(
        `${EXTENSION}.terminateBackground({ ignoreDevToolsAttached: true, disableResetIdleForTest: true })`,
      );
    },
    isBackgroundAwake: () => inBrowser<boolean>(`${EXTENSION}.backgroundState === 'running'`),
    close: () => browser.close(),
    async kill() {
      const child = browser.process();
      if (!child?.pid) throw new Error('Firefox has no process to kill');
      const ended = once(child, 'exit');
      // The driver starts it in a group of its own.
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
      else return;
      await ended;
    },
  };
}

/** Puts a text into a field at once, as pasting does; the driver would type it key by key. */
export async function paste(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).click();
  await page.evaluate((pasted) => document.execCommand('insertText', false, pasted), text);
}

const EXTENSION = `WebExtensionPolicy.getByID('${GECKO_ID}').extension`;
const MENU = "document.getElementById('contentAreaContextMenu')";
const EXTENSION_PARENT = "ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs').ExtensionParent";

/** Firefox looks through this folder at every start, and installs and updates what it finds there. */
function installInto(profile: string, extension: string): void {
  mkdirSync(join(profile, 'extensions'), { recursive: true });
  writeFileSync(join(profile, 'extensions', `${GECKO_ID}.xpi`), zipFiles(readFiles(extension)));
}

function loopbackOnly(hosts: string[]) {
  return {
    'network.dns.localDomains': hosts.join(','),
    // Everything else goes to a proxy that is not there.
    'network.proxy.type': 1,
    'network.proxy.http': '127.0.0.1',
    'network.proxy.http_port': 9,
    'network.proxy.ssl': '127.0.0.1',
    'network.proxy.ssl_port': 9,
    'network.proxy.no_proxies_on': ['localhost', '127.0.0.1', ...hosts].join(','),
  };
}
