import { browser } from '../../support/fake-browser.ts';
import type { Gate } from './gate.ts';

type Method = (...parts: never[]) => unknown;

/**
 * Routes a background worker's browser API calls through the gate, which counts calls and injects faults. A test file
 * calls this function once, because the original methods are not restored.
 */
export function guardBrowser(gate: Gate): void {
  const { storage, alarms, permissions, action, runtime } = browser;
  const groups: [string, object, string[]][] = [
    ['session', storage.session, ['get', 'set', 'remove']],
    ['local', storage.local, ['get']],
    ['alarms', alarms, ['create', 'clear']],
    ['permissions', permissions, ['contains']],
    ['action', action, ['setBadgeText', 'setBadgeBackgroundColor', 'setBadgeTextColor']],
    ['runtime', runtime, ['getContexts']],
  ];
  for (const [group, api, names] of groups) {
    const methods = api as Record<string, Method>;
    for (const name of names) {
      const original = methods[name];
      if (!original) throw new Error(`There is no ${group}.${name}.`);
      methods[name] = (...parts: never[]) => gate.call(`${group}.${name}`, async () => original.apply(api, parts));
    }
  }
}
