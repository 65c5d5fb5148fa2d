import { readableUrl } from '@terse/contract/readable-host';
import type { IsOwnShortUrl } from '../urls/shortenable-url-rules.ts';
import { capabilitiesOf, type KnownService, shortBaseUrlsOf } from './capabilities.ts';

/**
 * Returns a function that recognizes short URLs of the connected servers, even if the extension does not know their
 * links. Pages of a web site that shares its host with a server are not short URLs.
 */
export function ownShortUrls(connections: KnownService[]): IsOwnShortUrl {
  const checks = connections.flatMap((connection) => {
    const isShortPath = shortPathsOf(connection);
    const bases = shortBaseUrlsOf(connection.service).flatMap((base) => URL.parse(base) ?? []);
    return bases.map(directory).map((base) => (url: URL) => {
      const isBelow = directory(url).startsWith(base);
      return isBelow && isShortPath((url.origin + url.pathname).slice(base.length));
    });
  });
  return (url) => checks.some((isOwn) => isOwn(url));
}

/** Returns a function that checks a path below the base URL of the short links, without a leading slash. */
function shortPathsOf(connection: KnownService): (path: string) => boolean {
  const { shortPaths, ownCode } = capabilitiesOf(connection);
  if (shortPaths !== 'codes' || !ownCode) return () => shortPaths === 'all';
  // Some servers ignore the case of codes, although they create codes only in lower case.
  return (path) => {
    const code = withoutSlash(path);
    return code.length <= ownCode.maxLength && [code, code.toLowerCase()].some((text) => ownCode.pattern.test(text));
  };
}

function directory({ origin, pathname }: URL): string {
  return `${withoutSlash(origin + pathname)}/`;
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

/**
 * Returns the short URLs that lead to the same link as a URL: with either scheme and either spelling of an international
 * domain, and without a query, a fragment and a trailing slash.
 */
export function shortUrlForms(href: string): string[] {
  const url = URL.parse(href);
  if (!url) return [];
  const rest = withoutSlash(url.host + url.pathname);
  const forms = [`https://${rest}`, `http://${rest}`];
  return [...new Set([...forms, ...forms.map(readableUrl)])];
}
