import type { Display } from './display.ts';
import type { ExtensionPage } from './pages.ts';

/** Identifies an element by its text, as in Playwright: a substring, ignoring case. */
export interface ByText {
  /** Matches the whole text, including case. */
  exact?: boolean;
}

/** Ways to find an element by what a user perceives. A subset of Playwright's interface. */
export interface Locating {
  getByRole(
    role: 'alert' | 'button' | 'checkbox' | 'dialog' | 'heading' | 'img' | 'link' | 'menuitem' | 'region' | 'textbox',
    options?: ByText & { name?: string | RegExp },
  ): Located;
  getByLabel(text: string | RegExp, options?: ByText): Located;
  getByText(text: string | RegExp, options?: ByText): Located;
  locator(css: string, options?: { hasText?: string | RegExp }): Located;
}

/** Elements that may exist now or later. An action waits until it is possible, and fails if several elements match. */
export interface Located extends Locating {
  first(): Located;
  last(): Located;
  waitFor(options?: { state?: 'attached' | 'detached' | 'visible' | 'hidden'; timeout?: number }): Promise<void>;
  click(options?: { timeout?: number }): Promise<void>;
  /** Checks a box if it is not checked. */
  check(): Promise<void>;
  uncheck(): Promise<void>;
  /** Replaces the content of a field, as pasting does. */
  fill(text: string): Promise<void>;
  /** Chooses an option of a list by its label. */
  selectOption(words: string): Promise<unknown>;
  /** Chooses a file in a file field. */
  setInputFiles(file: ChosenFile): Promise<void>;
  focus(): Promise<void>;
  /** Focuses the element and presses a key, such as `Enter` or `Control+z`. */
  press(key: string): Promise<void>;
  /** Returns the current number of matching elements. */
  count(): Promise<number>;
  textContent(): Promise<string | null>;
  innerText(): Promise<string>;
  inputValue(): Promise<string>;
  getAttribute(name: string): Promise<string | null>;
}

export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A tab, or the popup of the extension. Implemented by Playwright's pages and by `./firefox/page.ts`. */
export interface BrowserPage extends Locating {
  readonly keyboard: { press(key: string): Promise<void> };
  /** Evaluates an expression in the page and returns its awaited value, which must be plain data. */
  evaluate(expression: string): Promise<unknown>;
  bringToFront(): Promise<void>;
  reload(): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * A browser with the extension and everything that a test does with it. Tests use both browsers only through this
 * interface.
 */
export interface BrowserUnderTest {
  readonly name: 'Chromium' | 'Firefox';
  /** Profile folder with all data of the browser. */
  readonly profile: string;
  /** Opens a web page in a new foreground tab. */
  openTab(url: string): Promise<BrowserPage>;
  openExtensionPage(page: ExtensionPage): Promise<BrowserPage>;
  /** Waits for a tab that something else opens, whose URL contains a text. */
  tabAt(part: string): Promise<BrowserPage>;
  /** Clicks the toolbar button while a tab is in front, as a user does, and returns the popup. */
  openPopup(over: BrowserPage): Promise<BrowserPage>;
  /** Waits for a popup that something else opens. */
  popup(): Promise<BrowserPage>;
  isPopupOpen(): Promise<boolean>;
  /**
   * Tells the extension that a menu item was chosen over a tab, as the browser does. Headless browsers show no menus.
   *
   * @param clicked id of the item, and what was clicked if not the page itself
   */
  clickMenu(tab: BrowserPage, clicked: MenuClick): Promise<void>;
  /** Returns the file that an action on a page saves. */
  saved(page: BrowserPage, save: () => Promise<void>): Promise<Buffer>;
  /** Returns the clipboard's text, read from outside the extension. */
  clipboard(): Promise<string>;
  /** Copies a text as another program would. */
  copyElsewhere(text: string): Promise<void>;
  /** Evaluates an expression in the background, and wakes it if necessary. */
  inBackground<T>(expression: string): Promise<T>;
  /** Stops the background without notice, as the browser does with an idle one. */
  killBackground(): Promise<void>;
  isBackgroundAwake(): Promise<boolean>;
  /** Disconnects the extension from every network, including loopback. Returns a function that reconnects it. */
  goOffline(): Promise<() => Promise<void>>;
  /** Deletes the extension's IndexedDB even if it is open, as the browser does when site data are cleared. */
  clearDatabase(): Promise<void>;
  /** Allows the extension in private windows, as a user does in its details. */
  allowInPrivateWindows(): Promise<void>;
  /** Opens a page in a private window and the popup over it. */
  openPrivateWindow(url: string): Promise<PrivateWindow>;
  /** Sends SIGKILL to every process of the browser at once. `start` restarts it. */
  kill(): Promise<void>;
  /** Closes the browser as a user does. */
  close(): Promise<void>;
  /** Starts the browser again on the same profile after `kill` or `close`. Earlier pages are gone. */
  start(): Promise<void>;
}

/** Part of a browser's menu click event. */
export interface MenuClick {
  menuItemId: string;
  srcUrl?: string;
  selectionText?: string;
}

export interface PrivateWindow {
  popup: BrowserPage;
  close(): Promise<void>;
}

/** A browser in a window on a separate display, with the unmodified extension. */
export interface BrowserOnScreen extends BrowserUnderTest {
  readonly display: Display;
  /** Clicks a point of a page with the mouse. */
  clickOn(tab: BrowserPage, point: Point): Promise<void>;
  /** Right-clicks a point of a page with the mouse, and chooses the extension's menu item of that name. */
  chooseFromMenu(tab: BrowserPage, point: Point, item: string): Promise<void>;
  /** Waits for the browser's permission dialog for an origin, and allows it. */
  allowPermission(): Promise<void>;
}

/** Coordinates within a page. */
export interface Point {
  x: number;
  y: number;
}
