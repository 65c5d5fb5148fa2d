import { vi } from 'vitest';

type Changes = Record<string, { oldValue?: unknown; newValue?: unknown }>;
type Listener = (changes: Changes, area: string) => void;

/** A storage area in memory. Like the real ones it keeps copies, and tells listeners of every change. */
class StorageArea {
  #records: Record<string, unknown> = {};
  readonly #area: string;
  readonly #listeners: Set<Listener>;

  constructor(area: string, listeners: Set<Listener>) {
    this.#area = area;
    this.#listeners = listeners;
  }

  async get(key: string): Promise<Record<string, unknown>> {
    return key in this.#records ? structuredClone({ [key]: this.#records[key] }) : {};
  }

  async set(records: Record<string, unknown>): Promise<void> {
    Object.assign(this.#records, structuredClone(records));
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

  /** Everything in it, as text to search. */
  dump(): string {
    return JSON.stringify(this.#records);
  }
}

const listeners = new Set<Listener>();
const HOME = 'chrome-extension://abcdefgh/';

/** Stands in for `webextension-polyfill`, which loads in no place but a browser. */
export const browser = {
  storage: {
    session: new StorageArea('session', listeners),
    local: new StorageArea('local', listeners),
    onChanged: {
      addListener: (listener: Listener) => listeners.add(listener),
      removeListener: (listener: Listener) => listeners.delete(listener),
    },
  },
  runtime: {
    id: 'abcdefgh',
    getURL: (path: string) => HOME + path.replace(/^\//, ''),
    openOptionsPage: vi.fn(async () => {}),
    sendMessage: vi.fn(async (_message: unknown): Promise<unknown> => undefined),
  },
  i18n: { getMessage: (name: string) => `[${name}]` },
  notifications: { create: vi.fn(async (_id: string, _options: { title: string; message: string }) => '') },
  alarms: {
    create: vi.fn(async (_name: string, _info: { when: number }) => {}),
    clear: vi.fn(async (_name: string) => true),
  },
  action: {
    setBadgeText: vi.fn(async (_details: { text: string }) => {}),
    setBadgeBackgroundColor: vi.fn(async (_details: { color: string }) => {}),
    setBadgeTextColor: vi.fn(async (_details: { color: string }) => {}),
  },
  contextMenus: { create: vi.fn((_properties: { id: string }, _done: () => void) => '') },
  permissions: {
    contains: async () => true,
    request: vi.fn(async (_permissions: object) => true),
    remove: vi.fn(async (_permissions: object) => true),
  },
  windows: { getAll: vi.fn(async () => [{ incognito: false }]) },
  extension: { inIncognitoContext: false },
};

/** As after an installation. */
export function resetBrowser(): void {
  browser.storage.session.clear();
  browser.storage.local.clear();
  listeners.clear();
  vi.clearAllMocks();
}

export default browser;
