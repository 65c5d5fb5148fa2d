import { readableHost } from '@terse/contract/readable-host';
import type { ServerSettings } from '../../messages/protocol.ts';
import { MAX_OWN_LIMIT } from '../../queue/limits.ts';
import type { Connection } from '../../queue/types.ts';
import type { Capabilities } from '../../services/capabilities.ts';
import { capabilitiesOf, kindOf } from '../../services/connection-capabilities.ts';
import { SERVICE_KINDS, type ServiceKind } from '../../services/service-adapter.ts';

/** Settings of a server, as the user typed them. */
export interface SettingsDraft {
  /** Empty to detect the kind automatically. */
  kind: ServiceKind | '';
  /** Empty for the server's default domain. */
  domain: string;
  /** Empty for no limit. */
  perSecond: string;
  perDay: string;
}

export const NO_SETTINGS: SettingsDraft = { kind: '', domain: '', perSecond: '', perDay: '' };

export type SettingsProblem = { field: 'domain' | 'limits'; code: 'malformed' };

export function storedSettings({ kind, isKindChosen, domain = '', limits }: Connection): SettingsDraft {
  const text = (limit: number | null | undefined) => (limit == null ? '' : String(limit));
  const chosen = isKindChosen && kind ? kind : '';
  return {
    kind: chosen,
    domain: readableHost(domain),
    perSecond: text(limits?.perSecond),
    perDay: text(limits?.perDay),
  };
}

/**
 * Returns the kind of server that the user chose or, if there is none, the kind of the stored connection. Null if
 * both are missing.
 */
export function knownKind({ kind }: SettingsDraft, connection: Connection | null): ServiceKind | null {
  return kind || (connection && kindOf(connection));
}

/** Returns the capabilities of the server that the form describes. Null if the kind of server is unknown. */
export function knownCapabilities(draft: SettingsDraft, connection: Connection | null): Capabilities | null {
  const kind = knownKind(draft, connection);
  return kind && capabilitiesOf({ kind, service: connection?.service ?? null });
}

export function toKind(value: string): ServiceKind | '' {
  return SERVICE_KINDS.find((kind) => kind === value) ?? '';
}

/** Returns the settings to send, or the problem that prevents sending them. */
export function checkSettings(draft: SettingsDraft): Required<ServerSettings> | SettingsProblem {
  const typed = draft.domain.trim();
  const domain = typed === '' ? null : hostOf(typed);
  if (domain === undefined) return { field: 'domain', code: 'malformed' };
  const [perSecond, perDay] = [limitOf(draft.perSecond), limitOf(draft.perDay)];
  const isWhole = perDay === null || Number.isInteger(perDay);
  if (perSecond === undefined || perDay === undefined || !isWhole) return { field: 'limits', code: 'malformed' };
  const limits = perSecond === null && perDay === null ? null : { perSecond, perDay };
  return { kind: draft.kind || null, domain, limits };
}

/**
 * Returns the host of a domain or URL that the user typed. Returns undefined if the text is invalid or contains a
 * path, a query, a fragment or a user name.
 */
function hostOf(text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  return url && url.pathname === '/' && url.search === '' && url.hash === '' && !url.username ? url.host : undefined;
}

/**
 * Parses a limit. Returns null for an empty field. Returns undefined if the text is not a positive number or exceeds
 * the maximum.
 */
function limitOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const limit = Number(text);
  return limit > 0 && limit <= MAX_OWN_LIMIT ? limit : undefined;
}
