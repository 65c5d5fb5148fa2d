import messages from '../../public/_locales/en/messages.json' with { type: 'json' };

interface Entry {
  message: string;
  placeholders?: Record<string, { content: string }>;
}

/** The extension's own strings, filled in as `i18n.getMessage` fills them. An unknown key is shown, not swallowed. */
export function getMessage(key: string, values: string | string[] = []): string {
  const entry = (messages as Record<string, Entry>)[key];
  if (!entry) return `?${key}?`;
  const given = [values].flat();
  return entry.message.replace(/\$(?:(\w+)\$|\$)/g, (_, name?: string) => {
    if (name === undefined) return '$';
    const content = entry.placeholders?.[name.toLowerCase()]?.content ?? `?${name}?`;
    return content.replace(/\$(\d)/g, (_all, index: string) => given[Number(index) - 1] ?? '');
  });
}

/** Just enough of the browser for components to render outside an extension; loaded before anything that imports one. */
export function stubBrowser(): void {
  const browser = { runtime: { id: 'gallery' }, i18n: { getMessage, getUILanguage: () => navigator.language } };
  Object.assign(globalThis, { browser, chrome: browser });
}
