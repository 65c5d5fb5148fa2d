import { SHORT_CODE_PATTERN } from '@terse/contract/link-fields';
import { readableUrl } from '@terse/contract/readable-host';
import { FEATURE, type NewCodes } from '@terse/contract/service-capabilities';
import type { IsOwnShortUrl } from '../urls/shortenable-url-rules.ts';
import type { ServiceInfo, ServiceKind } from './adapter.ts';

/*
 * Capabilities of servers. The queue and the pages check capabilities instead of the kind of server. This module must
 * not import the adapters, so that pages can use it without loading them.
 */

export interface Capabilities {
  /**
   * True if the server has our API. Every URL below the base URL of its short links is a short URL, even if the extension
   * does not know the link. Until the server reports its limits, those of the API specification apply.
   */
  ownApi: boolean;
  /**
   * Method for repeating a create request after a lost response without creating a second link.
   * `idempotency_key`: the same bytes are sent again with the same idempotency key.
   * `same_code`: the same short code is sent again, and the adapter's `create` recognizes its own link.
   * `look_up`: the same short code is sent again after the adapter's `find` has reported that no link has the code.
   * `none`: the request is not repeated automatically. The user decides.
   */
  safeRetry: 'idempotency_key' | 'same_code' | 'look_up' | 'none';
  /** Matches the codes that the user may choose. Null if the server chooses all codes. */
  ownCode: RegExp | null;
  /** Format of the codes that the extension generates, which `ownCode` allows. Null if the server generates the codes. */
  generatedCode: NewCodes | null;
  /** True if a new link can have a title, an expiry or tags. */
  title: boolean;
  expiry: boolean;
  tags: boolean;
  /** Maximum number of links in one request. 1 if the server does not support batches. */
  batchSize: number;
  /** True if the adapter can list links and look up a link by its code. */
  list: boolean;
  delete: boolean;
  /** True if the URL, title and expiry of a link can be edited, and if the title and expiry can be removed. */
  edit: boolean;
  clear: boolean;
  /** `total`: the list of links contains click counts. `details`: in addition, the adapter has the method `clicks`. */
  clicks: 'none' | 'total' | 'details';
  /** True if the server may return an existing link for the same URL, with another short code than requested. */
  reusesLinks: boolean;
  /** True if the server may have several domains. A code is then unique only on its domain. */
  domains: boolean;
  /** True if a health check shows whether the server accepts the API key. */
  checksKey: boolean;
}

/** Capabilities that most servers without the Terse API have. */
const COMMON = {
  ownApi: false,
  safeRetry: 'same_code',
  generatedCode: { alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789', length: 10 },
  title: true,
  expiry: true,
  tags: false,
  batchSize: 1,
  list: true,
  edit: true,
  clear: false,
  delete: true,
  clicks: 'total',
  reusesLinks: false,
  domains: false,
  checksKey: true,
} as const satisfies Partial<Capabilities>;

/**
 * Codes of YOURLS, which silently removes characters that are not in its alphabet. Capital letters are excluded,
 * because a server setting decides whether YOURLS allows them. `0` is excluded, because YOURLS treats this code as
 * missing.
 */
export const YOURLS_CODE = /^(?!0$)[0-9a-z]{1,100}$/;

/**
 * Codes of Sink. Capital letters are excluded, because most servers convert codes to lower case. `dashboard` is
 * excluded: Sink accepts this code, but the short link does not work.
 */
const SINK_CODE = /^(?!dashboard$)(?=.{1,512}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Codes that Shlink stores unchanged and whose short URLs work. Paths that Shlink itself uses are excluded. Slashes
 * are excluded, because most servers replace them.
 */
const SHLINK_CODE = /^(?!rest$|robots\.txt$|\.+$)[\p{L}\p{M}\p{N}._~-]{1,255}$/u;

/**
 * Capabilities of each kind of server. Some depend on the features of the individual server, which `has` checks, or on
 * other data from its health check.
 */
const CAPABILITIES: Record<ServiceKind, (has: HasFeature, service: ServiceInfo | null) => Capabilities> = {
  terse: terseCapabilities,
  specification: () => terseCapabilities(() => false, null),
  kutt: () => ({
    ...COMMON,
    // Two create requests that arrive at the same moment may create two links with the same code, so a lookup is
    // needed before a request is repeated.
    safeRetry: 'look_up',
    ownCode: /^[a-z0-9_-]{1,64}$/i,
    domains: true,
  }),
  yourls: () => ({
    ...COMMON,
    ownCode: YOURLS_CODE,
    expiry: false,
    edit: false,
    delete: false,
    reusesLinks: true,
  }),
  sink: () => ({
    ...COMMON,
    ownCode: SINK_CODE,
    clear: true,
    clicks: 'none',
  }),
  shlink: () => ({
    ...COMMON,
    ownCode: SHLINK_CODE,
    tags: true,
    clear: true,
    domains: true,
  }),
  // Few chhoto-url servers allow capital letters.
  chhoto: () => ({ ...COMMON, ownCode: /^[a-z0-9_-]{1,255}$/ }),
};

type HasFeature = (feature: string) => boolean;

/** Returns the capabilities of a server with our API, based on the features in its service document. */
function terseCapabilities(has: HasFeature, service: ServiceInfo | null): Capabilities {
  const isIdempotent = has(FEATURE.idempotency);
  const hasLinks = has(FEATURE.links);
  // Without idempotency, repeating a create request with the same short code would fail if the first succeeded.
  const takesCodes = has(FEATURE.chosenCodes) && hasLinks && isIdempotent;
  return {
    ownApi: true,
    safeRetry: isIdempotent ? 'idempotency_key' : 'none',
    ownCode: hasLinks ? SHORT_CODE_PATTERN : null,
    generatedCode: (takesCodes && service?.codes) || null,
    title: hasLinks,
    expiry: hasLinks,
    tags: hasLinks && has(FEATURE.tags),
    // If the items of a batch have no separate idempotency keys, splitting a failed batch could create links twice.
    // The API allows 100 links, but the server responds faster to smaller batches.
    batchSize: has(FEATURE.batch) && has(FEATURE.itemIdempotency) ? 50 : 1,
    list: hasLinks,
    edit: has(FEATURE.edit),
    clear: has(FEATURE.edit),
    delete: hasLinks,
    clicks: has(FEATURE.analytics) ? 'details' : hasLinks ? 'total' : 'none',
    reusesLinks: false,
    domains: (service?.domains?.length ?? 0) > 1,
    checksKey: has(FEATURE.key),
  };
}

/** Part of a connection that determines the capabilities of its server. */
export interface KnownService {
  /** Absent if the kind is not known yet, or if the server has our API. */
  kind?: ServiceKind;
  service: ServiceInfo | null;
}

/** Returns the kind of a connection's server. Without a stored kind, the server's description decides. */
export function kindOf({ kind, service }: KnownService): ServiceKind {
  return kind ?? (service ? 'terse' : 'specification');
}

/** Returns the capabilities of a connection's server, based on the result of its health check. */
export function capabilitiesOf(connection: KnownService): Capabilities {
  const { service } = connection;
  return CAPABILITIES[kindOf(connection)]((feature) => service?.features.includes(feature) ?? false, service);
}

/**
 * Returns the base URL of short links on a domain. Empty if the base URL is unknown.
 *
 * @param domain name of the domain. Undefined for the default domain
 */
export function shortBaseUrlOf({ shortBaseUrl, domains = [] }: ServiceInfo, domain: string | undefined): string {
  if (domain === undefined) return shortBaseUrl;
  const named = domains.find(({ name }) => name === domain);
  return named?.shortBaseUrl ?? (URL.parse(shortBaseUrl)?.host === domain ? shortBaseUrl : '');
}

/** Returns all known base URLs of a server's short links. */
export function shortBaseUrlsOf(service: ServiceInfo | null): string[] {
  const bases = [service?.shortBaseUrl ?? '', ...(service?.domains ?? []).map(({ shortBaseUrl }) => shortBaseUrl)];
  return [...new Set(bases)].filter((base) => base !== '');
}

/** True if every create request needs a short code, so that the request can be repeated safely. */
export function needsCodes(connection: KnownService): boolean {
  return ['same_code', 'look_up'].includes(capabilitiesOf(connection).safeRetry);
}

/** True if a create request can be repeated only after a lookup has shown that its link does not exist. */
export function needsLookUp(connection: KnownService): boolean {
  return capabilitiesOf(connection).safeRetry === 'look_up';
}

/** True if repeating a create request immediately, as browsers sometimes do, creates no second link. */
export function isIdempotent(connection: KnownService): boolean {
  return ['idempotency_key', 'same_code'].includes(capabilitiesOf(connection).safeRetry);
}

/** Options that the user can choose for a link. Null means that the user did not choose the option. */
interface ChosenOptions {
  shortCode: string | null;
  title: string | null;
  expiresAt: string | null;
  tags?: string[];
}

/** True if the server accepts these options for a new link. */
export function takesOptions(connection: KnownService, options: ChosenOptions): boolean {
  const { ownCode, title, expiry, tags } = capabilitiesOf(connection);
  if (options.shortCode !== null && !ownCode) return false;
  if (options.title !== null && !title) return false;
  return (options.expiresAt === null || expiry) && (!options.tags || tags);
}

/** True if the server lists its links, but the list has not been read yet. URLs may have links that are unknown here. */
export function isListMissing(connection: KnownService & { listRead?: object }): boolean {
  return capabilitiesOf(connection).list && !connection.listRead;
}

/**
 * Returns a function that recognizes short URLs of the connected servers, even if the extension does not know their
 * links. Only servers that use their whole host for short URLs are recognized: other servers may share it with a web
 * site.
 */
export function ownShortUrls(connections: KnownService[]): IsOwnShortUrl {
  const dedicated = connections.filter((connection) => capabilitiesOf(connection).ownApi);
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
  return rest.includes('xn--') ? [...forms, ...forms.map(readableUrl)] : forms;
}
