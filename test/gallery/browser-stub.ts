import english from '../../public/_locales/en/messages.json' with { type: 'json' };

interface Entry {
  message: string;
  placeholders?: Record<string, { content: string }>;
}

export type Messages = Record<string, Entry>;

let messages: Messages = english;
let uiLanguage = 'en-GB';

/**
 * Returns an English message with its placeholders filled in, like `i18n.getMessage`. Returns the key if no message
 * exists.
 */
export function getMessage(key: string, values: string | string[] = []): string {
  const entry = messages[key] ?? (english as Messages)[key];
  if (!entry) return /__[a-z]+$/.test(key) ? '' : `?${key}?`;
  const given = [values].flat();
  return entry.message.replace(/\$(?:(\w+)\$|\$)/g, (_, name?: string) => {
    if (name === undefined) return '$';
    const content = entry.placeholders?.[name.toLowerCase()]?.content ?? `?${name}?`;
    return content.replace(/\$(\d)/g, (_all, index: string) => given[Number(index) - 1] ?? '');
  });
}

/**
 * Provides the browser APIs that components need outside an extension. Must be called before any component is loaded.
 */
export function stubBrowser(): void {
  const sendMessage = () => Promise.reject(new Error('The gallery has no background.'));
  const runtime = { id: 'gallery', getURL: (path: string) => `/${path}`, sendMessage };
  const browser = { runtime, extension: {}, commands: {}, i18n: { getMessage, getUILanguage: () => uiLanguage } };
  Object.assign(globalThis, { browser, chrome: browser });
}

/** Switches the pages to another language. Missing messages fall back to English, as in browsers. */
export function speak(language: string, strings: Messages): void {
  messages = strings;
  uiLanguage = language;
}
