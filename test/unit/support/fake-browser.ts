import { vi } from 'vitest';

type Changes = Record<string, { oldValue?: unknown; newValue?: unknown }>;
type Listener = (changes: Changes, area: string) => void;

/**
 * A storage area in memory. Like a real storage area, it stores copies, reports all changes and rejects writes beyond
 * its quota. The quota counts UTF-16 units of JSON.
 */
export class StorageArea {
  #records: Record<string, unknown> = {};
  readonly #area: string;
  readonly #quota: number;
  readonly #listeners: Set<Listener>;

  constructor(area: string, quota: number, listeners: Set<Listener>) {
    this.#area = area;
    this.#quota = quota;
    this.#listeners = listeners;
  }

  async get(key: string): Promise<Record<string, unknown>> {
    return key in this.#records ? structuredClone({ [key]: this.#records[key] }) : {};
  }

  async set(records: Record<string, unknown>): Promise<void> {
    const next = { ...this.#records, ...structuredClone(records) };
    if (JSON.stringify(next).length > this.#quota) throw new Error('Quota bytes exceeded. Values were not stored.');
    this.#records = next;
    const changes = Object.fromEntries(Object.entries(records).map(([key, newValue]) => [key, { newValue }]));
    for (const listener of this.#listeners) listener(changes, this.#area);
  }

  async remove(key: string): Promise<void> {
    if (!(key in this.#records)) return;
    delete this.#records[key];
    for (const listener of this.#listeners) listener({ [key]: {} }, this.#area);
  }

  clear(): void {
    this.#records = {};
  }

  dump(): string {
    return JSON.stringify(this.#records);
  }
}

const listeners = new Set<Listener>();
const QUOTA = 10 * 1024 * 1024;
const HOME = 'chrome-extension://abcdefgh/';

export interface HeaderRule {
  id: number;
  action: object;
  condition: { urlFilter: string; initiatorDomains: string[]; resourceTypes: string[] };
}

/** Network rules. Like a browser, rejects a duplicate id. */
let dynamicRules: HeaderRule[] = [];

/** Firefox for Android does not support this API. */
export const windows = {
  getAll: vi.fn(async (_filter?: object): Promise<{ id?: number; incognito: boolean }[]> => [{ incognito: false }]),
  getLastFocused: vi.fn(async () => ({ incognito: false })),
  create: vi.fn(async (_properties: { url: string }) => {}),
  update: vi.fn(async (_id: number, _properties: object) => {}),
  onRemoved: {
    addListener: vi.fn((_listener: () => void) => {}),
    removeListener: vi.fn((_listener: () => void) => {}),
  },
};

/** Firefox for Android does not support this API. */
export const contextMenus = {
  ContextType: { PAGE: 'page', LINK: 'link', ACTION: 'action' } as Record<string, string>,
  create: vi.fn((_properties: { id: string; title: string; contexts: string[] }, _done: () => void) => ''),
  removeAll: vi.fn(async () => {}),
};

/** Replaces `src/browser/browser.ts`, which works only in a browser. */
export const browser = {
  storage: {
    session: new StorageArea('session', QUOTA, listeners),
    local: new StorageArea('local', QUOTA, listeners),
    onChanged: {
      addListener: (listener: Listener) => listeners.add(listener),
      removeListener: (listener: Listener) => listeners.delete(listener),
    },
  },
  runtime: {
    id: 'abcdefgh',
    getURL: vi.fn((path: string) => HOME + path.replace(/^\//, '')),
    openOptionsPage: vi.fn(async () => {}),
    reload: vi.fn(() => {}),
    sendMessage: vi.fn(async (_message: unknown): Promise<unknown> => undefined),
    /** Returns the open pages of a type. No popup is open unless a test adds one. */
    getContexts: vi.fn(async (_filter: { contextTypes: string[] }): Promise<unknown[]> => []),
  },
  i18n: {
    getMessage: (name: string, values: string[] = []) =>
      name === 'languageTag' ? 'en' : `[${[name, ...values].join(' ')}]`,
    getUILanguage: () => 'en-GB',
  },
  notifications: { create: vi.fn(async (_id: string, _options: { title: string; message: string }) => '') },
  alarms: {
    create: vi.fn(async (_name: string, _info: { delayInMinutes: number; periodInMinutes: number }) => {}),
    clear: vi.fn(async (_name: string) => true),
  },
  action: {
    setBadgeText: vi.fn(async (_details: { text: string }) => {}),
    setBadgeBackgroundColor: vi.fn(async (_details: { color: string }) => {}),
    setBadgeTextColor: vi.fn(async (_details: { color: string }) => {}),
    openPopup: vi.fn(async () => {}),
  },
  declarativeNetRequest: {
    getDynamicRules: vi.fn(async () => structuredClone(dynamicRules)),
    updateDynamicRules: vi.fn(async (update: { addRules?: HeaderRule[]; removeRuleIds?: number[] }) => {
      const { addRules = [], removeRuleIds = [] } = update;
      dynamicRules = dynamicRules.filter(({ id }) => !removeRuleIds.includes(id));
      const taken = addRules.find(({ id }) => dynamicRules.some((rule) => rule.id === id));
      if (taken) throw new Error(`Rule with id ${taken.id} does not have a unique ID.`);
      dynamicRules.push(...structuredClone(addRules));
    }),
  },
  contextMenus: contextMenus as typeof contextMenus | undefined,
  omnibox: { setDefaultSuggestion: vi.fn((_suggestion: { description: string }) => {}) },
  permissions: {
    contains: vi.fn(async (_permissions: { origins: string[] }) => true),
    request: vi.fn(async (_permissions: object) => true),
    remove: vi.fn(async (_permissions: object) => true),
  },
  scripting: { executeScript: vi.fn(async (_injection: object): Promise<{ result: unknown }[]> => []) },
  windows: windows as typeof windows | undefined,
  tabs: {
    query: vi.fn(async (_filter: object) => [{ incognito: false }]),
    create: vi.fn(async (_properties: { url: string }) => {}),
  },
  extension: { inIncognitoContext: false },
};

export function resetBrowser(): void {
  browser.storage.session.clear();
  browser.storage.local.clear();
  listeners.clear();
  dynamicRules = [];
  browser.windows = windows;
  browser.contextMenus = contextMenus;
  vi.clearAllMocks();
  // Also removes the return values that tests gave to mocked functions.
  for (const api of [browser, ...Object.values(browser), ...Object.values(browser.storage)]) {
    for (const method of Object.values(api ?? {})) if (vi.isMockFunction(method)) method.mockReset();
  }
}

export default browser;
