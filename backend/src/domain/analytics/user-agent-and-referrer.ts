import { isbot } from 'isbot';
import { UAParser } from 'my-ua-parser';
import { OTHER, UNKNOWN } from './day-counts.ts';

/** Maximum number of characters of a User-Agent header that are parsed. Browsers send about 120 characters. */
export const MAX_USER_AGENT_LENGTH = 500;

/**
 * Maximum length of a browser or system name. The names that the parser knows are shorter, so a longer name was made
 * up by a client.
 */
const NAME_LIMIT = 40;

/**
 * Returns the browser, system and device that a User-Agent header describes. Clients without this header count as
 * bots, because every browser sends it.
 */
export function classifyUserAgent(text: string) {
  const { browser, os, device } = new UAParser(text.slice(0, MAX_USER_AGENT_LENGTH)).getResult();
  return {
    bot: text === '' || isbot(text),
    browser: name(browser.name),
    system: name(os.name),
    // The parser reports no device type for desktops, so other clients with a known operating system count as
    // desktops.
    device: device.type ?? (os.name ? 'desktop' : OTHER),
  };
}

function name(claimed: string | undefined): string {
  return claimed && claimed.length <= NAME_LIMIT ? claimed : OTHER;
}

/** Maximum number of characters of a Referer header that are read. Host names have at most 253 characters. */
export const MAX_REFERRER_LENGTH = 300;

/** A public host name or an IPv6 address in brackets, as normalized by the WHATWG URL parser. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)+|\[[0-9a-f:]+\])$/;

/** Returns the origin of a Referer header. The path and the query are dropped to protect the visitor's privacy. */
export function referrerOrigin(header: string): string {
  const authority = header.indexOf('//') + 2;
  const path = authority === 1 ? -1 : header.indexOf('/', authority);
  return header.slice(0, path === -1 ? MAX_REFERRER_LENGTH : Math.min(path, MAX_REFERRER_LENGTH));
}

/**
 * Returns the lowercase host of a referrer without `www.`, port and user info. Returns `other` if the host is not
 * public.
 */
export function referrerHost(origin: string): string {
  if (origin === '') return UNKNOWN;
  const host =
    URL.parse(origin)
      ?.hostname.replace(/\.$/, '')
      .replace(/^www\./, '') ?? '';
  return HOST.test(host) ? host : OTHER;
}
