import { type Capabilities, capabilitiesOfKind } from './capabilities.ts';
import type { ServiceInfo, ServiceKind } from './service-adapter.ts';

/* Capabilities of the servers of connections. */

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

export function capabilitiesOf(connection: KnownService): Capabilities {
  return capabilitiesOfKind(kindOf(connection), connection.service);
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

/** True if a create request whose response was lost can be repeated without creating a second link. */
export function canRepeat(connection: KnownService): boolean {
  return capabilitiesOf(connection).safeRetry !== 'none';
}

/** True if every create request needs a short code, so that the request can be repeated safely. */
export function needsCodes(connection: KnownService): boolean {
  const { safeRetry } = capabilitiesOf(connection);
  return safeRetry === 'same_code' || safeRetry === 'look_up';
}

/** True if a create request can be repeated only after a lookup has shown that its link does not exist. */
export function needsLookUp(connection: KnownService): boolean {
  return capabilitiesOf(connection).safeRetry === 'look_up';
}

/** True if repeating a create request immediately, as browsers sometimes do, creates no second link. */
export function isIdempotent(connection: KnownService): boolean {
  const { safeRetry } = capabilitiesOf(connection);
  return safeRetry === 'idempotency_key' || safeRetry === 'same_code';
}

/** True if the server can create several links with one request. */
export function supportsBatches(connection: KnownService): boolean {
  return capabilitiesOf(connection).batchSize > 1;
}

/** Options that the user can choose for a link. Null means that the user did not choose the option. */
interface ChosenOptions {
  shortCode: string | null;
  title: string | null;
  expiresAt: string | null;
  tags?: string[];
}

/**
 * True if the server accepts these options for a new link.
 *
 * @param options options that the user chose. If absent, the function checks whether the server accepts at least one
 * option.
 */
export function takesOptions(connection: KnownService, options?: ChosenOptions): boolean {
  const { ownCode, title, expiry, tags } = capabilitiesOf(connection);
  if (!options) return ownCode !== null || title || expiry;
  const isMissing = (option: string | string[] | null, isSupported: boolean) => option !== null && !isSupported;
  return !(
    isMissing(options.shortCode, ownCode !== null) ||
    isMissing(options.title, title) ||
    isMissing(options.expiresAt, expiry) ||
    isMissing(options.tags ?? null, tags)
  );
}

/** True if the server lists its links, but the list has not been read yet. URLs may have links that are unknown here. */
export function isListMissing(connection: KnownService & { listRead?: object }): boolean {
  return capabilitiesOf(connection).list && !connection.listRead;
}
