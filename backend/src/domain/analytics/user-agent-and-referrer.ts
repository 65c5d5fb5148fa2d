import { isbot } from 'isbot';
import { UAParser } from 'my-ua-parser';
import { OTHER, UNKNOWN } from './top-values.ts';

/** What a User-Agent tells of who clicked. */
export interface UserAgent {
  bot: boolean;
  browser: string;
  system: string;
  device: string;
}

/** As much of a User-Agent as is looked at, in characters. Those of browsers have about 120. */
export const MAX_USER_AGENT_LENGTH = 500;

/** Names of browsers and systems are the parser's own and short; a longer one was made up by the client. */
const NAME_LIMIT = 40;

/** Classifies a User-Agent. A client that sends none is a program: every browser has one. */
export function classifyUserAgent(text: string): UserAgent {
  const { browser, os, device } = new UAParser(text.slice(0, MAX_USER_AGENT_LENGTH)).getResult();
  return {
    bot: text === '' || isbot(text),
    browser: name(browser.name),
    system: name(os.name),
    // The parser tells kinds of devices apart from desktops, and a desktop from nothing.
    device: device.type ?? (os.name ? 'desktop' : OTHER),
  };
}

function name(claimed: string | undefined): string {
  return claimed && claimed.length <= NAME_LIMIT ? claimed : OTHER;
}

/** As much of a Referer as is kept while its click waits to be counted, in characters: a host name has at most 253. */
export const MAX_REFERRER_LENGTH = 300;

/** A name on the public internet, or an IPv6 address in brackets, as the WHATWG parser writes them. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)+|\[[0-9a-f:]+\])$/;

/** The part of a Referer that may tell its host. Path and query are left behind at once: they are the visitor's affair. */
export function referrerOrigin(header: string): string {
  const authority = header.indexOf('//') + 2;
  const path = authority === 1 ? -1 : header.indexOf('/', authority);
  return header.slice(0, path === -1 ? MAX_REFERRER_LENGTH : Math.min(path, MAX_REFERRER_LENGTH));
}

/** The host a click came from: in small letters, without `www.`, port or user info; `other` where it is no public one. */
export function referrerHost(origin: string): string {
  if (origin === '') return UNKNOWN;
  const host =
    URL.parse(origin)
      ?.hostname.replace(/\.$/, '')
      .replace(/^www\./, '') ?? '';
  return HOST.test(host) ? host : OTHER;
}
