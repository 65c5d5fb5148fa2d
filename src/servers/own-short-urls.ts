import { readableUrl } from '@terse/contract/readable-host';
import type { IsOwnShortUrl } from '../urls/shortenable-url-rules.ts';
import { capabilitiesOf, type KnownService, shortBaseUrlsOf } from './capabilities.ts';

/**
 * Returns a function that recognizes short URLs of the connected servers, even if the extension does not know their
 * links. Only servers that use their whole host for short URLs are recognized: other servers may share it with a web
 * site.
 */
export function ownShortUrls(connections: KnownService[]): IsOwnShortUrl {
  const dedicated = connections.filter((connection) => capabilitiesOf(connection).ownsHost);
  const bases = dedicated
    .flatMap(({ service }) => shortBaseUrlsOf(service))
    .flatMap((base) => URL.parse(base) ?? [])
    .map(directory);
  return (url) => bases.some((base) => directory(url).startsWith(base));
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
