import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { findFirefox } from '../../../../scripts/browsers/find.ts';
import { GECKO_ID } from '../../../../scripts/build/manifest.ts';
import { readFiles, zipFiles } from '../../../../scripts/build/zip.ts';
import type { BrowserPage, BrowserUnderTest, ExtensionPage } from '../browser-under-test.ts';
import { tempFolder, WELCOME } from '../folders.ts';
import { until } from '../until.ts';
import { IN_EVERY_PAGE, installDriver } from './driver.ts';
import { browserScope } from './finder.ts';
import { type Call, type FirefoxPage, firefoxPage, untilLoaded } from './page.ts';

/** A fixed internal id for the extension. In an ordinary profile, Firefox generates a random one. */
const UUID = '5e8dc0de-0000-4000-8000-000000000000';
export const HOME = `moz-extension://${UUID}/`;
const DOWNLOADS = 'downloads';
const POPUP = `${HOME}src/pages/popup/`;

export interface Firefox extends BrowserUnderTest {
  openTab(url: string): Promise<FirefoxPage>;
  openExtensionPage(page: ExtensionPage): Promise<FirefoxPage>;
  /** Evaluates an expression in the scope of Firefox's own window. */
  inBrowser<T>(expression: string): Promise<T>;
  /**
   * Sets the browser's language to a BCP 47 tag. Firefox's own texts stay English, because no language packs are
   * installed.
   */
  speak(language: string): Promise<void>;
}

export interface FirefoxOptions {
  extension: string;
  /** Profile folder. By default, a new profile is created. The extension replaces any other version in the profile. */
  profile?: string;
  /** Host names that resolve to loopback. No other host is reachable. */
  hosts?: string[];
  /** X display for the browser's windows. Without a display, the browser is headless. */
  display?: string;
  /** True to keep the welcome page open. By default, the page is closed before the test begins. */
  welcome?: boolean;
  /** Host and port of a proxy for all requests, including requests to loopback. */
  proxy?: string;
  /** True to show permission dialogs. By default, Firefox grants all permissions without a dialog. */
  asksForPermissions?: boolean;
}

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

  // The welcome page opens only with a new profile and a current build.
  if (!options.welcome && options.profile === undefined && existsSync(join(options.extension, WELCOME))) {
    await call('close', await until('the welcome page', () => call('tabAt', WELCOME)));
  }

  return {
    name: 'Firefox',
    profile,
    openTab,
    openExtensionPage: (name) => openTab(`${HOME}src/pages/${name}/index.html`),
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
      // Firefox first writes a download to a `.part` file, and later adds an empty file with the final name.
      const file = await until('a file to be saved', () => {
        const names = existsSync(folder) ? readdirSync(folder) : [];
        const [name] = names.length === 1 ? names : [];
        const path = name && !name.endsWith('.part') && join(folder, name);
        // Firefox renames the `.part` file when the download is complete.
        return path && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0 && path;
      });
      const content = readFileSync(file);
      rmSync(file);
      return { name: basename(file), content };
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
      // Closes open connections, because connections to loopback would stay usable while the browser is offline.
      await inBrowser("void Services.obs.notifyObservers(null, 'net:prune-all-connections')");
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
    timeout: 120_000,
    env: display === undefined ? process.env : { ...process.env, DISPLAY: display },
    // Allows tests to control the browser's own windows and its extension management.
    args: ['--remote-allow-system-access'],
    extraPrefsFirefox: {
      'extensions.webextOptionalPermissionPrompts': asksForPermissions,
      'extensions.webextensions.uuids': JSON.stringify({ [GECKO_ID]: UUID }),
      // Enables an unsigned extension that was copied into the profile.
      'xpinstall.signatures.required': false,
      'extensions.autoDisableScopes': 0,
      // Makes loopback unreachable too while the browser is offline.
      'network.disable-localhost-when-offline': true,
      // In a visible window, the driver's default would keep keyboard input away from popups.
      'focusmanager.testmode': display === undefined,
      'browser.download.folderList': 2,
      'browser.download.dir': join(profile, DOWNLOADS),
      // The download panel would cover the page's upper corner and receive its clicks.
      'browser.download.alwaysOpenPanel': false,
      ...(options.proxy ? through(options.proxy, []) : loopbackOnly(hosts)),
    },
  });
  const inBrowser = await browserScope(browser);
  await inBrowser(`(${installDriver})(${JSON.stringify(IN_EVERY_PAGE)})`);
  // While Firefox starts an extension, it replaces the extension's policy. A page that opens before is never loaded.
  const isStarted = `WebExtensionPolicy.getByID('${GECKO_ID}')?.extension?.state === 'Startup: Complete'`;
  await until('the extension to be started', () => inBrowser<boolean>(isStarted));
  return {
    inBrowser,
    close: () => browser.close(),
    async kill() {
      const child = browser.process();
      if (!child?.pid) throw new Error('Firefox has no process to kill');
      const ended = once(child, 'exit');
      // A negative id kills the whole process group, which contains only this browser.
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
      else return;
      await ended;
    },
  };
}

const EXTENSION = `WebExtensionPolicy.getByID('${GECKO_ID}').extension`;

/**
 * Script that allows the extension in private windows, as the browser's settings do. Firefox then reloads the
 * extension.
 */
const ALLOW_IN_PRIVATE_WINDOWS = `(async () => {
  const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
  const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
  const allowed = { permissions: ['internal:privateBrowsingAllowed'], origins: [] };
  await ExtensionPermissions.add('${GECKO_ID}', allowed, ${EXTENSION});
  await (await AddonManager.getAddonByID('${GECKO_ID}')).reload();
})()`;

/**
 * Script that sets the language and reloads the extension, because an extension reads its texts only when it is
 * loaded.
 */
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

/** Firefox checks this folder at every start, and installs or updates the extensions in it. */
function installInto(profile: string, extension: string): void {
  mkdirSync(join(profile, 'extensions'), { recursive: true });
  writeFileSync(join(profile, 'extensions', `${GECKO_ID}.xpi`), zipFiles(readFiles(extension)));
}

function loopbackOnly(hosts: string[]) {
  return {
    'network.dns.localDomains': hosts.join(','),
    // All other requests go to a proxy that does not exist.
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
    // Without this setting, Firefox sends requests to loopback directly, past the proxy.
    'network.proxy.allow_hijacking_localhost': true,
  };
}
