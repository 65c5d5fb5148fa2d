import { isbot } from 'isbot';
import { UAParser } from 'my-ua-parser';
import { OTHER, UNKNOWN } from './top-values.ts';

/** Properties that a User-Agent header reveals. */
export interface UserAgent {
  bot: boolean;
  browser: string;
  system: string;
  device: string;
}

/** Maximum number of characters of a User-Agent that are parsed. Browsers send about 120. */
export const MAX_USER_AGENT_LENGTH = 500;

/** The parser's names of browsers and systems are short. A longer name was invented by the client. */
const NAME_LIMIT = 40;

/** Classifies a User-Agent. A client without one is a bot, because every browser sends one. */
export function classifyUserAgent(text: string): UserAgent {
  const { browser, os, device } = new UAParser(text.slice(0, MAX_USER_AGENT_LENGTH)).getResult();
  return {
    bot: text === '' || isbot(text),
    browser: name(browser.name),
    system: name(os.name),
    // The parser names other devices, but not desktops.
    device: device.type ?? (os.name ? 'desktop' : OTHER),
  };
}

function name(claimed: string | undefined): string {
  return claimed && claimed.length <= NAME_LIMIT ? claimed : OTHER;
}

/**
 * Maximum number of characters of a Referer that are stored until its click is counted. A host name has at most 253.
 */
export const MAX_REFERRER_LENGTH = 300;

/** A public host name, or an IPv6 address in brackets, in the form of the WHATWG parser. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)+|\[[0-9a-f:]+\])$/;

/** Returns the part of a Referer that may contain its host. Path and query are dropped at once for privacy. */
export function referrerOrigin(header: string): string {
  const authority = header.indexOf('//') + 2;
  const path = authority === 1 ? -1 : header.indexOf('/', authority);
  return header.slice(0, path === -1 ? MAX_REFERRER_LENGTH : Math.min(path, MAX_REFERRER_LENGTH));
}

/** Returns the host of a referrer in lower case, without `www.`, port or user info, or `other` if it is not public. */
export function referrerHost(origin: string): string {
  if (origin === '') return UNKNOWN;
  const host =
    URL.parse(origin)
      ?.hostname.replace(/\.$/, '')
      .replace(/^www\./, '') ?? '';
  return HOST.test(host) ? host : OTHER;
}
