import type { MenuClick } from '../browser-under-test.ts';

/** What Firefox's own window offers to whoever drives the browser from inside. */
export interface Driver {
  /** Opens an address in a new tab in front, and returns the tab's id. */
  openTab(url: string): number;
  /** The id of the first tab whose address contains the text; 0 if there is none. */
  tabAt(part: string): number;
  /** The id of an open popup of the extension; 0 if there is none. */
  popup(address: string): number;
  /** The id of the extension's background; 0 while it sleeps. */
  background(extension: string): number;
  /** Evaluates an expression in a page: the value as JSON. */
  evaluate(id: number, expression: string): Promise<string | undefined>;
  /** Puts the tab, or the popup, where clicks and keys go. */
  bringToFront(id: number): void;
  clickAt(id: number, x: number, y: number): Promise<void>;
  /** A key by its name in the DOM, with the names of modifiers before it: `Control+z`. */
  press(id: number, key: string): void;
  reload(id: number): void;
  close(id: number): void;
  /** Clicks the extension's button in the toolbar of the tab's window. */
  clickAction(id: number, extension: string): void;
  /** Tells the extension that one of its items was chosen in the menu over the tab. */
  clickMenu(id: number, extension: string, clicked: MenuClick): void;
  /** Opens an address in a new private window, and returns the tab's id. */
  openPrivateWindow(url: string): Promise<number>;
  /** Closes the window that the tab is in. */
  closeWindow(id: number): void;
}

/**
 * Puts `driver` into Firefox's own window; runs there, and may use nothing from outside itself.
 *
 * Tabs, popups and the background are all browsers inside this browser: WebDriver BiDi shows the tabs alone, so
 * everything is reached from here, the same way. Clicks and keys go through the window as the mouse's and the
 * keyboard's do, so pages take them for a person's.
 *
 * @param inEveryPage a script for each of them, which answers `terse:evaluate`
 */
export function installDriver(inEveryPage: string): void {
  // biome-ignore-start lint/suspicious/noExplicitAny: the browser's inside has no types.
  const inside = globalThis as any;
  const { Services, ChromeUtils, WebExtensionPolicy } = inside;
  const { event } = ChromeUtils.importESModule('chrome://remote/content/shared/webdriver/Event.sys.mjs');
  const { ExtensionParent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs');
  const principal = Services.scriptSecurityManager.getSystemPrincipal();
  const ids = new Map<any, number>();
  const waiting = new Map<number, (answer: { value?: string; error?: string }) => void>();
  let lastCall = 0;
  /** In milliseconds, and how many of them: whoever has not answered after 30 seconds will not. */
  const [LOOK_EVERY, LOOKS] = [200, 150];

  Services.mm.loadFrameScript(`data:,${encodeURIComponent(inEveryPage)}`, true);
  Services.mm.addMessageListener('terse:evaluated', ({ data }: any) => {
    waiting.get(data.call)?.(data);
  });

  const idOf = (browser: any): number => {
    if (!browser) return 0;
    if (!ids.has(browser)) ids.set(browser, ids.size + 1);
    return ids.get(browser) as number;
  };
  const browserOf = (id: number): any => {
    const browser = [...ids.keys()].find((one) => ids.get(one) === id);
    if (!browser?.isConnected) throw new Error('The page is closed');
    return browser;
  };
  const windows = (): any[] => [...Services.wm.getEnumerator('navigator:browser')].filter((one) => !one.closed);
  const isPrivateWindow = (window: any) => window.gBrowser.selectedBrowser.loadContext.usePrivateBrowsing;
  const windowOf = (browser: any) => browser.ownerDocument.defaultView;
  const tabOf = (browser: any) => windowOf(browser).gBrowser?.getTabForBrowser(browser);
  const at = (browser: any): string => browser.currentURI?.spec ?? '';

  const openTabIn = ({ gBrowser }: any, url: string): number => {
    gBrowser.selectedTab = gBrowser.addTab(url, { triggeringPrincipal: principal });
    return idOf(gBrowser.selectedBrowser);
  };

  const driver: Driver = {
    openTab: (url) => openTabIn(inside, url),
    tabAt(part) {
      const tabs = windows().flatMap(({ gBrowser }) => gBrowser.browsers);
      return idOf(tabs.find((one) => at(one).includes(part)));
    },
    popup(address) {
      const open = windows().flatMap(({ document }) => [...document.querySelectorAll('.webextension-popup-browser')]);
      return idOf(open.find((one: any) => at(one).startsWith(address) && one.closest('panel')?.state === 'open'));
    },
    background(extension) {
      const views: Set<any> = WebExtensionPolicy.getByID(extension).extension.views;
      return idOf([...views].find(({ viewType }) => viewType === 'background')?.xulBrowser);
    },
    evaluate(id, expression) {
      const browser = browserOf(id);
      const { messageManager } = browser;
      const call = ++lastCall;
      return new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          inside.clearInterval(watch);
          waiting.delete(call);
          settle();
        };
        const fail = (why: string) => end(() => reject(new Error(why)));
        let looks = 0;
        // A page in another process than the one before it never answers what the one before was asked.
        const watch = inside.setInterval(() => {
          if (!browser.isConnected || browser.messageManager !== messageManager) fail('The page was left meanwhile');
          else if (++looks === LOOKS) fail('The page does not answer');
        }, LOOK_EVERY);
        waiting.set(call, ({ value, error }) => (error === undefined ? end(() => resolve(value)) : fail(error)));
        messageManager.sendAsyncMessage('terse:evaluate', { call, expression });
      });
    },
    bringToFront(id) {
      const browser = browserOf(id);
      const tab = tabOf(browser);
      if (tab) windowOf(browser).gBrowser.selectedTab = tab;
      browser.focus();
    },
    async clickAt(id, x, y) {
      const browser = browserOf(id);
      const { left, top } = browser.getBoundingClientRect();
      await event.synthesizeMouseAtPoint(left + x, top + y, {}, windowOf(browser));
    },
    press(id, key) {
      const parts = key.split('+');
      const name = parts.at(-1) ?? '';
      event.sendSingleKey(
        {
          key: name,
          printable: name.length === 1,
          ctrlKey: parts.includes('Control') && name !== 'Control',
          shiftKey: parts.includes('Shift') && name !== 'Shift',
          altKey: parts.includes('Alt') && name !== 'Alt',
        },
        windowOf(browserOf(id)),
      );
    },
    reload: (id) => browserOf(id).reload(),
    close(id) {
      const browser = browserOf(id);
      const tab = tabOf(browser);
      // Whether a page would rather stay is not asked, as it is not in the other browser.
      if (tab) windowOf(browser).gBrowser.removeTab(tab, { skipPermitUnload: true });
      else browser.closest('panel').hidePopup();
    },
    clickAction(id, extension) {
      const window = windowOf(browserOf(id));
      const action = ExtensionParent.apiManager.global.browserActionFor(
        WebExtensionPolicy.getByID(extension).extension,
      );
      action.triggerAction(window);
    },
    clickMenu(id, extension, clicked) {
      const tab = tabOf(browserOf(id));
      const { extension: itself } = WebExtensionPolicy.getByID(extension);
      // A click on an item opens the tab to the extension.
      itself.tabManager.addActiveTabPermission(tab);
      itself.emit('webext-menu-menuitem-click', { modifiers: [], button: 0, ...clicked }, tab);
    },
    async openPrivateWindow(url) {
      const started = 'browser-delayed-startup-finished';
      const window = await new Promise<any>((resolve) => {
        const whenStarted = (subject: any) => {
          if (!isPrivateWindow(subject)) return;
          Services.obs.removeObserver(whenStarted, started);
          resolve(subject);
        };
        Services.obs.addObserver(whenStarted, started);
        inside.OpenBrowserWindow({ private: true });
      });
      return openTabIn(window, url);
    },
    closeWindow: (id) => windowOf(browserOf(id)).close(),
  };
  inside.driver = driver;
  // biome-ignore-end lint/suspicious/noExplicitAny: the browser's inside has no types.
}

/** Runs for each page, beside it: evaluates what it is sent, in the page. */
export const IN_EVERY_PAGE = `
  const calls = new Set();
  const answer = (call, said) => calls.delete(call) && sendAsyncMessage('terse:evaluated', { call, ...said });
  let page = null;
  let sandbox = null;
  addEventListener('pagehide', ({ target }) => {
    if (target !== content?.document) return;
    for (const call of calls) answer(call, { error: 'The page was left meanwhile' });
  }, true);
  addMessageListener('terse:evaluate', async ({ data: { call, expression } }) => {
    calls.add(call);
    try {
      if (page !== content.document) {
        page = content.document;
        sandbox = Cu.Sandbox(content, { sandboxPrototype: content, wantXrays: false });
      }
      const value = await Cu.evalInSandbox(expression, sandbox);
      answer(call, { value: JSON.stringify(value) });
    } catch (error) {
      answer(call, { error: String(error) });
    }
  });
`;
