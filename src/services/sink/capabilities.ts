import type { Capabilities } from '../capabilities.ts';
import type { ServiceInfo } from '../service-adapter.ts';

/** Maximum length of a title. Sink refuses longer ones. */
export const MAX_TITLE_LENGTH = 256;

/** Features that the probe finds, in addition to those of our API. */
export const SINK_FEATURE = {
  /** The server answers a repeated create with the existing link. Older versions refuse it. */
  upsert: 'upsert',
  import: 'import',
  /** The server can read click counts. Without keys for Cloudflare's analytics, it has none. */
  clicks: 'clicks',
} as const;

/** Sink allows 100 links in an import, but must be asked about each link that exists already. */
const BATCH_SIZE = 50;

/** Most servers convert codes to lower case. Sink accepts the name of its dashboard, but never redirects it. */
const CODE_RULES = {
  pattern: /^(?!dashboard$)(?=.{1,512}$)[a-z0-9]+(?:-[a-z0-9]+)*$/,
  minLength: 1,
  maxLength: 512,
  isCaseSensitive: false,
};

const keepsTitle = (title: string) => title.length <= MAX_TITLE_LENGTH;

const EDITABLE = ['url', 'title', 'expiresAt'] as const;

/** Returns the capabilities of a Sink server, which depend on its version and its settings. */
export function sinkCapabilities(service: ServiceInfo | null): Capabilities {
  const has = (feature: string) => service?.features.includes(feature) ?? false;
  return {
    safeRetry: 'same_code',
    ownCode: CODE_RULES,
    generatedCode: { alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789', length: 10 },
    title: true,
    keepsTitle,
    expiry: true,
    tags: false,
    batchSize: has(SINK_FEATURE.import) ? BATCH_SIZE : 1,
    list: true,
    find: true,
    edit: EDITABLE,
    clear: ['title', 'expiresAt'],
    delete: true,
    clicks: has(SINK_FEATURE.clicks) ? 'total' : 'none',
    reusesLinks: false,
    domains: false,
    checksKey: true,
    limits: 'none',
  };
}
