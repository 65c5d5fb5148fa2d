import { classifyAgent } from '../domain/clicks/agents.ts';
import { OTHER } from '../domain/clicks/names.ts';

/** A browser and system in words, such as "Firefox on Linux": enough to recognise your own, and no more. */
export function deviceName(userAgent: string): string {
  const { browser, system } = classifyAgent(userAgent);
  if (browser !== OTHER && system !== OTHER) return `${browser} on ${system}`;
  return browser === OTHER ? 'Unknown browser' : browser;
}
