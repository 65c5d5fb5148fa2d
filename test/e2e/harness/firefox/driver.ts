import type { MenuClick } from '../browser-under-test.ts';

/** Functions that run inside Firefox's own window and control the browser for a test. */
export interface Driver {
  openTab(url: string): number;
  /** Returns the id of the first tab whose URL contains `part`. Returns 0 without such a tab. */
  tabAt(part: string): number;
  popup(address: string): number;
  /** Returns the id of the extension's background page, or 0 if it sleeps. */
  background(extension: string): number;
  /** Evaluates an expression in a page and returns the value as JSON. */
  evaluate(id: number, expression: string): Promise<string | undefined>;
  /** Moves the keyboard focus to a tab or popup. */
  bringToFront(id: number): void;
  clickAt(id: number, x: number, y: number): Promise<void>;
  /** Presses a key by its DOM name, with modifiers in front, such as `Control+z`. */
  press(id: number, key: string): void;
  reload(id: number): void;
  close(id: number): void;
  clickAction(id: number, extension: string): void;
  /** Sends the browser's event for a chosen menu item to the extension. */
  clickMenu(id: number, extension: string, clicked: MenuClick): void;
  openPrivateWindow(url: string): Promise<number>;
  closeWindow(id: number): void;
}

/**
 * Installs `driver` in Firefox's own window. The function runs there, so it cannot use anything outside its body.
 *
 * WebDriver BiDi can only reach tabs, but Firefox's own window contains the tabs, the popup and the background page.
 * Clicks and keys go through that window, so pages treat them as user input.
 *
 * @param inEveryPage script for each page that answers the message `terse:evaluate`
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
  /** Milliseconds between two checks, and the number of checks: 30 seconds in total. */
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
        // If the tab navigates to another process, the old page never answers.
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
      // Skips `beforeunload` dialogs, as Playwright does in Chromium.
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
      // A click on an extension's menu item gives the extension access to the tab.
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

/** Script that runs beside each page and evaluates the expressions that the driver sends. */
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
