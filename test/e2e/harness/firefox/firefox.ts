import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { findFirefox } from '../../../../scripts/browsers/find.ts';
import { GECKO_ID } from '../../../../scripts/build/manifest.ts';
import { readFiles, zipFiles } from '../../../../scripts/build/zip.ts';
import type { BrowserPage, BrowserUnderTest } from '../browser-under-test.ts';
import { WELCOME } from '../chromium.ts';
import type { ExtensionPage } from '../pages.ts';
import { tempFolder } from '../temp.ts';
import { until } from '../until.ts';
import { IN_EVERY_PAGE, installDriver } from './driver.ts';
import { type Call, type FirefoxPage, firefoxPage, untilLoaded } from './page.ts';
import { browserScope } from './scope.ts';

/** The extension's address is random in an ordinary profile; here it is chosen. */
const UUID = '5e8dc0de-0000-4000-8000-000000000000';
const HOME = `moz-extension://${UUID}/`;
/** In the profile: where it saves what is downloaded. */
const DOWNLOADS = 'downloads';
const POPUP = `${HOME}src/pages/popup/`;

export interface Firefox extends BrowserUnderTest {
  openTab(url: string): Promise<FirefoxPage>;
  openExtensionPage(page: ExtensionPage): Promise<FirefoxPage>;
  /** Evaluates an expression in the scope of Firefox's own window. */
  inBrowser<T>(expression: string): Promise<T>;
  /**
   * Sets the browser to a language, a BCP 47 tag, as one that comes in it is. Its own words stay English: the packs with
   * others are not there.
   */
  speak(language: string): Promise<void>;
}

export interface FirefoxOptions {
  /** Folder of the built extension. */
  extension: string;
  /** Folder of the profile, a new one unless told. The extension is installed in it over whatever version is there. */
  profile?: string;
  /** Host names that lead to loopback. Nothing but loopback is reached. */
  hosts?: string[];
  /** The X display to open windows on; without one there are none. */
  display?: string;
  /** The page for a new person stays open. Otherwise it is closed before the test begins. */
  welcome?: boolean;
  /** Host and port of a proxy that everything goes through, loopback too. */
  proxy?: string;
  /** Whether the browser asks if an origin may be reached; else it is answered with yes. */
  asksForPermissions?: boolean;
}

/** Starts a Firefox with the extension. */
export async function launchFirefox(options: FirefoxOptions): Promise<Firefox> {
  const executable = await findFirefox();
  if (!executable) throw new Error('No Firefox was found: run the tests with `npm test`, which provides one');
  const profile = options.profile ?? tempFolder('firefox');
  installInto(profile, options.extension);
  let running = await startOn(executable, profile, options);

  const inBrowser = <T>(expression: string) => running.inBrowser<T>(expression);
  const call = ((name, ...args) => inBrowser(`driver[${JSON.stringify(name)}](...${JSON.stringify(args)})`)) as Call;
  const pageOf = (id: number) => firefoxPage(call, id);
  const idOf = (page: BrowserPage) => (page as FirefoxPage).id;

  async function openTab(url: string): Promise<FirefoxPage> {
    const page = pageOf(await call('openTab', url));
    await untilLoaded(page.evaluate, `location.href === ${JSON.stringify(new URL(url).href)}`);
    return page;
  }

  async function popup(): Promise<BrowserPage> {
    const page = pageOf(await until('the popup to open', () => call('popup', POPUP)));
    await untilLoaded(page.evaluate, 'true');
    return page;
  }

  async function popupOver(id: number): Promise<BrowserPage> {
    await call('bringToFront', id);
    await call('clickAction', id, GECKO_ID);
    return popup();
  }

  // A profile that was used before is nobody's new one, and old releases had no such page.
  if (!options.welcome && options.profile === undefined && existsSync(join(options.extension, WELCOME))) {
    await call('close', await until('the page for a new person', () => call('tabAt', WELCOME)));
  }

  return {
    name: 'Firefox',
    profile,
    openTab,
    openExtensionPage: (name) => openTab(`${HOME}src/${name}/index.html`),
    async tabAt(part) {
      const page = pageOf(await until(`a tab at ${part}`, () => call('tabAt', part)));
      await untilLoaded(page.evaluate, 'true');
      return page;
    },
    openPopup: (over) => popupOver(idOf(over)),
    popup,
    isPopupOpen: async () => (await call('popup', POPUP)) > 0,
    async clickMenu(tab, clicked) {
      await call('bringToFront', idOf(tab));
      await call('clickMenu', idOf(tab), GECKO_ID, clicked);
    },
    async saved(_page, save) {
      await save();
      const folder = join(profile, DOWNLOADS);
      // What is on its way is in a part, at first alone, then beside an empty file that has the name already.
      const file = await until('a file to be saved', () => {
        const names = existsSync(folder) ? readdirSync(folder) : [];
        const [name] = names.length === 1 ? names : [];
        const path = name && !name.endsWith('.part') && join(folder, name);
        // A part that just got its name is gone under the old one.
        return path && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0 && path;
      });
      const content = readFileSync(file);
      rmSync(file);
      return content;
    },
    clipboard: () => inBrowser<string>('navigator.clipboard.readText()'),
    copyElsewhere: (text) => inBrowser(`navigator.clipboard.writeText(${JSON.stringify(text)})`),
    async inBackground<T>(expression: string) {
      await inBrowser(`${EXTENSION}.wakeupBackground()`);
      const id = await until('the background', () => call('background', GECKO_ID));
      return (await pageOf(id).evaluate(expression)) as T;
    },
    async killBackground() {
      await inBrowser(
        `${EXTENSION}.terminateBackground({ ignoreDevToolsAttached: true, disableResetIdleForTest: true })`,
      );
    },
    isBackgroundAwake: () => inBrowser<boolean>(`${EXTENSION}.backgroundState === 'running'`),
    async goOffline() {
      await inBrowser('void (Services.io.offline = true)');
      return () => inBrowser('void (Services.io.offline = false)');
    },
    async clearDatabase() {
      await inBrowser(CLEAR_DATABASE);
    },
    async allowInPrivateWindows() {
      await inBrowser(ALLOW_IN_PRIVATE_WINDOWS);
    },
    async openPrivateWindow(url) {
      const tab = pageOf(await call('openPrivateWindow', url));
      await untilLoaded(tab.evaluate, `location.href === ${JSON.stringify(new URL(url).href)}`);
      return { popup: await popupOver(tab.id), close: () => call('closeWindow', tab.id) };
    },
    inBrowser,
    async speak(language) {
      await inBrowser(speaking(language));
    },
    close: () => running.close(),
    kill: () => running.kill(),
    async start() {
      running = await startOn(executable, profile, options);
    },
  };
}

interface RunningFirefox {
  inBrowser<T>(expression: string): Promise<T>;
  close(): Promise<void>;
  kill(): Promise<void>;
}

async function startOn(executable: string, profile: string, options: FirefoxOptions): Promise<RunningFirefox> {
  const { hosts = [], display, asksForPermissions = false } = options;
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: executable,
    userDataDir: profile,
    headless: display === undefined,
    // A busy machine takes long.
    timeout: 120_000,
    env: display === undefined ? process.env : { ...process.env, DISPLAY: display },
    // The browser's own windows and its extension management are driven, too.
    args: ['--remote-allow-system-access'],
    extraPrefsFirefox: {
      'extensions.webextOptionalPermissionPrompts': asksForPermissions,
      'extensions.webextensions.uuids': JSON.stringify({ [GECKO_ID]: UUID }),
      // An extension that nobody has signed, put into the profile by hand, is switched on.
      'xpinstall.signatures.required': false,
      'extensions.autoDisableScopes': 0,
      // Who is offline reaches loopback no more than anything else.
      'network.disable-localhost-when-offline': true,
      // The driver's own choice keeps keys from a popup in a window.
      'focusmanager.testmode': display === undefined,
      'browser.download.folderList': 2,
      'browser.download.dir': join(profile, DOWNLOADS),
      // It would cover the page's upper corner, and take the clicks meant for what is there.
      'browser.download.alwaysOpenPanel': false,
      ...(options.proxy ? through(options.proxy, []) : loopbackOnly(hosts)),
    },
  });
  const inBrowser = await browserScope(browser);
  await inBrowser(`(${installDriver})(${JSON.stringify(IN_EVERY_PAGE)})`);
  await until('the extension to be there', () => inBrowser<boolean>(`!!WebExtensionPolicy.getByID('${GECKO_ID}')`));
  return {
    inBrowser,
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

const EXTENSION = `WebExtensionPolicy.getByID('${GECKO_ID}').extension`;

/** What the switch in the extension's details does; Firefox loads the extension anew for it. */
const ALLOW_IN_PRIVATE_WINDOWS = `(async () => {
  const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
  const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
  const allowed = { permissions: ['internal:privateBrowsingAllowed'], origins: [] };
  await ExtensionPermissions.add('${GECKO_ID}', allowed, ${EXTENSION});
  await (await AddonManager.getAddonByID('${GECKO_ID}')).reload();
})()`;

/** An extension reads its strings when it is loaded. */
const speaking = (language: string) => `(async () => {
  const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
  Services.locale.availableLocales = [${JSON.stringify(language)}, 'en-US'];
  Services.locale.requestedLocales = [${JSON.stringify(language)}];
  await (await AddonManager.getAddonByID('${GECKO_ID}')).reload();
})()`;

const CLEAR_DATABASE = `new Promise((resolve, reject) => {
  const request = Services.qms.clearStoragesForClient(${EXTENSION}.principal, 'idb');
  request.callback = ({ resultCode }) => (resultCode === Cr.NS_OK ? resolve() : reject(new Error(String(resultCode))));
})`;

/** Firefox looks through this folder at every start, and installs and updates what it finds there. */
function installInto(profile: string, extension: string): void {
  mkdirSync(join(profile, 'extensions'), { recursive: true });
  writeFileSync(join(profile, 'extensions', `${GECKO_ID}.xpi`), zipFiles(readFiles(extension)));
}

function loopbackOnly(hosts: string[]) {
  return {
    'network.dns.localDomains': hosts.join(','),
    // Everything else goes to a proxy that is not there.
    ...through('127.0.0.1:9', ['localhost', '127.0.0.1', ...hosts]),
  };
}

function through(proxy: string, except: string[]) {
  const [host = '', port] = proxy.split(':');
  return {
    'network.proxy.type': 1,
    'network.proxy.http': host,
    'network.proxy.http_port': Number(port),
    'network.proxy.ssl': host,
    'network.proxy.ssl_port': Number(port),
    'network.proxy.no_proxies_on': except.join(','),
    // Loopback goes there too, unless it is excepted.
    'network.proxy.allow_hijacking_localhost': true,
  };
}
