import type { Display } from './display.ts';
import type { ExtensionPage } from './pages.ts';

/** What tells one element from others, as Playwright reads it: a text is looked for anywhere and in any case. */
export interface ByText {
  /** The whole text in this very case. */
  exact?: boolean;
}

/** Ways to an element, by what a person perceives of it. A part of Playwright's own interface. */
export interface Locating {
  getByRole(
    role: 'alert' | 'button' | 'checkbox' | 'dialog' | 'heading' | 'img' | 'link' | 'region' | 'textbox',
    options?: ByText & { name?: string | RegExp },
  ): Located;
  getByLabel(text: string | RegExp, options?: ByText): Located;
  getByText(text: string | RegExp, options?: ByText): Located;
  locator(css: string, options?: { hasText?: string | RegExp }): Located;
}

/**
 * Elements that may be there or come. What is done to one waits until it can be done; where several match, that is an
 * error.
 */
export interface Located extends Locating {
  first(): Located;
  last(): Located;
  waitFor(options?: { state?: 'attached' | 'detached' | 'visible' | 'hidden'; timeout?: number }): Promise<void>;
  click(options?: { timeout?: number }): Promise<void>;
  /** Ticks a box that is not ticked. */
  check(): Promise<void>;
  uncheck(): Promise<void>;
  /** Replaces what a field holds, as pasting does. */
  fill(text: string): Promise<void>;
  /** Chooses an option of a list by its words. */
  selectOption(words: string): Promise<unknown>;
  /** Chooses a file in a field for one. */
  setInputFiles(file: ChosenFile): Promise<void>;
  focus(): Promise<void>;
  /** Focuses it and presses a key there, e.g. `Enter` or `Control+z`. */
  press(key: string): Promise<void>;
  /** How many there are now. */
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

/** A tab, or the popup of the extension. Playwright's pages are such; so are those of `./firefox/page.ts`. */
export interface BrowserPage extends Locating {
  readonly keyboard: { press(key: string): Promise<void> };
  /** Evaluates an expression in the page, awaits it and returns its value, which must be plain. */
  evaluate(expression: string): Promise<unknown>;
  bringToFront(): Promise<void>;
  reload(): Promise<unknown>;
  close(): Promise<void>;
}

/** A browser with the extension, and everything that a test does to it. Both browsers are driven by this interface alone. */
export interface BrowserUnderTest {
  readonly name: 'Chromium' | 'Firefox';
  /** Folder that holds all that the browser keeps. */
  readonly profile: string;
  /** Opens a web page in a new tab, in front. */
  openTab(url: string): Promise<BrowserPage>;
  openExtensionPage(page: ExtensionPage): Promise<BrowserPage>;
  /** Waits for a tab whose address contains a text, which somebody else opens. */
  tabAt(part: string): Promise<BrowserPage>;
  /** Clicks the extension's button in the toolbar while a tab is in front, as a person does, and returns the popup. */
  openPopup(over: BrowserPage): Promise<BrowserPage>;
  /** Waits for the popup that something else opens. */
  popup(): Promise<BrowserPage>;
  isPopupOpen(): Promise<boolean>;
  /**
   * Tells the extension that one of its items was chosen in the menu over a tab, as the browser does: where there is no
   * screen, no menu shows.
   *
   * @param clicked the item's id, and what was clicked beside the page itself
   */
  clickMenu(tab: BrowserPage, clicked: MenuClick): Promise<void>;
  /** What is saved as a file by something that is done on a page. */
  saved(page: BrowserPage, save: () => Promise<void>): Promise<Buffer>;
  /** The clipboard's text, read from outside the extension. */
  clipboard(): Promise<string>;
  /** Another program copies a text. */
  copyElsewhere(text: string): Promise<void>;
  /** Evaluates an expression in the background, which wakes for it if it sleeps. */
  inBackground<T>(expression: string): Promise<T>;
  /** Ends the background as the browser ends an idle one, with no word to it. */
  killBackground(): Promise<void>;
  isBackgroundAwake(): Promise<boolean>;
  /** Takes every network from the extension, loopback too. Returns how to give it back. */
  goOffline(): Promise<() => Promise<void>>;
  /** Deletes the extension's IndexedDB, open or not, as the browser does where its data are cleared or cannot be read. */
  clearDatabase(): Promise<void>;
  /** Allows the extension in private windows, as a person does in its details. */
  allowInPrivateWindows(): Promise<void>;
  /** Opens a page in a private window, and the popup over it. */
  openPrivateWindow(url: string): Promise<PrivateWindow>;
  /** SIGKILL to every process of the browser at once, with no word to it; `start` brings it back. */
  kill(): Promise<void>;
  /** Ends the browser as a person does who closes it. */
  close(): Promise<void>;
  /** Starts it again after `kill` or `close` on the same profile. Pages from before are no longer. */
  start(): Promise<void>;
}

/** A part of what browsers tell with a click on an item of a menu. */
export interface MenuClick {
  menuItemId: string;
  srcUrl?: string;
  selectionText?: string;
}

export interface PrivateWindow {
  popup: BrowserPage;
  close(): Promise<void>;
}

/** A browser in a window on a display of its own, with the extension exactly as it ships. */
export interface BrowserOnScreen extends BrowserUnderTest {
  readonly display: Display;
  /** Clicks a point of a page with the mouse. */
  clickOn(tab: BrowserPage, point: Point): Promise<void>;
  /** Right-clicks a point of a page with the mouse, and chooses the extension's item of that name from the menu. */
  chooseFromMenu(tab: BrowserPage, point: Point, item: string): Promise<void>;
  /** Waits for the browser's own question whether the extension may reach an origin, and allows it. */
  allowPermission(): Promise<void>;
}

/** In the coordinates of a page. */
export interface Point {
  x: number;
  y: number;
}
