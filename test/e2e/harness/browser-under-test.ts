import type { Display } from './display.ts';

/** Pages of the extension, by their folder in the build. */
export type ExtensionPage = 'popup' | 'options' | 'links' | 'bulk' | 'welcome' | 'queue';

/** Text of an element to find. As in Playwright, a substring matches, and case is ignored. */
export interface ByText {
  /** True to match only the whole text, including case. */
  exact?: boolean;
}

/** Finds elements by what a user sees or hears. The methods are a subset of Playwright's. */
export interface Locating {
  getByRole(
    role: 'alert' | 'button' | 'checkbox' | 'dialog' | 'heading' | 'img' | 'link' | 'menuitem' | 'region' | 'textbox',
    options?: ByText & { name?: string | RegExp },
  ): Located;
  getByLabel(text: string | RegExp, options?: ByText): Located;
  getByText(text: string | RegExp, options?: ByText): Located;
  locator(css: string, options?: { hasText?: string | RegExp }): Located;
}

/** Elements that exist now or later. An action waits until it is possible, and fails if several elements match. */
export interface Located extends Locating {
  first(): Located;
  waitFor(options?: { state?: 'attached' | 'visible'; timeout?: number }): Promise<void>;
  click(options?: { timeout?: number }): Promise<void>;
  check(): Promise<void>;
  uncheck(): Promise<void>;
  fill(text: string): Promise<void>;
  selectOption(words: string): Promise<unknown>;
  setInputFiles(file: ChosenFile): Promise<void>;
  count(): Promise<number>;
  textContent(): Promise<string | null>;
  inputValue(): Promise<string>;
}

export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A browser tab, or the extension's popup. Playwright's pages and `./firefox/page.ts` implement this interface. */
export interface BrowserPage extends Locating {
  readonly keyboard: { press(key: string): Promise<void> };
  /** Evaluates an expression in the page, awaits its value and returns the value, which must be plain data. */
  evaluate(expression: string): Promise<unknown>;
  bringToFront(): Promise<void>;
  reload(): Promise<unknown>;
  close(): Promise<void>;
}

/** A browser with the extension. Tests control Chromium and Firefox only through this interface. */
export interface BrowserUnderTest {
  readonly name: 'Chromium' | 'Firefox';
  readonly profile: string;
  openTab(url: string): Promise<BrowserPage>;
  openExtensionPage(page: ExtensionPage): Promise<BrowserPage>;
  /** Waits for a tab whose URL contains `part`. The browser or the extension opens the tab. */
  tabAt(part: string): Promise<BrowserPage>;
  /** Brings a tab to the front and clicks the toolbar button, as a user does. Returns the popup. */
  openPopup(over: BrowserPage): Promise<BrowserPage>;
  /** Waits for a popup that a shortcut or menu item opens. */
  popup(): Promise<BrowserPage>;
  isPopupOpen(): Promise<boolean>;
  /**
   * Sends the browser's event for a chosen menu item to the extension, because headless browsers show no menus.
   *
   * @param clicked id of the menu item, and the clicked element if it is not the page
   */
  clickMenu(tab: BrowserPage, clicked: MenuClick): Promise<void>;
  /** Returns the file that the page downloads during `save`. */
  saved(page: BrowserPage, save: () => Promise<void>): Promise<{ name: string; content: Buffer }>;
  /** Returns the clipboard's text, as any other program would read it. */
  clipboard(): Promise<string>;
  copyElsewhere(text: string): Promise<void>;
  /** Evaluates an expression in the extension's background worker. Wakes the worker if it sleeps. */
  inBackground<T>(expression: string): Promise<T>;
  /** Stops the background worker abruptly, as the browser does with an idle worker. */
  killBackground(): Promise<void>;
  isBackgroundAwake(): Promise<boolean>;
  /** Disconnects the extension from every network, including loopback. Returns a function that reconnects it. */
  goOffline(): Promise<() => Promise<void>>;
  /**
   * Deletes the extension's IndexedDB database even if it is open, as the browser does when the user clears site
   * data.
   */
  clearDatabase(): Promise<void>;
  /** Allows the extension in private windows, as a user does in the browser's settings. */
  allowInPrivateWindows(): Promise<void>;
  openPrivateWindow(url: string): Promise<PrivateWindow>;
  /** Kills all processes of the browser with SIGKILL. `start` starts the browser again. */
  kill(): Promise<void>;
  close(): Promise<void>;
  /** Starts the browser again with the same profile after `kill` or `close`. Earlier pages stay closed. */
  start(): Promise<void>;
}

export interface MenuClick {
  menuItemId: string;
  srcUrl?: string;
  selectionText?: string;
}

export interface PrivateWindow {
  popup: BrowserPage;
  close(): Promise<void>;
}

/** A browser with the unmodified extension, in a window on a virtual display. */
export interface BrowserOnScreen extends BrowserUnderTest {
  readonly display: Display;
  clickOn(tab: BrowserPage, point: Point): Promise<void>;
  /** Right-clicks a point of a page with the mouse, and chooses a menu item of the extension by its name. */
  chooseFromMenu(tab: BrowserPage, point: Point, item: string, place?: 'frame'): Promise<void>;
  allowPermission(): Promise<void>;
}

/** Coordinates in CSS pixels from the top left corner of a page. */
export interface Point {
  x: number;
  y: number;
}
