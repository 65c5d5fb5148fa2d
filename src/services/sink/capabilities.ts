import { type Capabilities, GENERATED_CODE } from '../capabilities.ts';
import type { ServiceInfo } from '../service-adapter.ts';

/** Maximum length of a title. Sink refuses longer titles. */
export const MAX_TITLE_LENGTH = 256;

/** Optional features of a Sink server, detected by the health check. */
export const SINK_FEATURE = {
  /**
   * The server responds to a repeated create request with the existing link. Older versions refuse the repeated
   * request.
   */
  upsert: 'upsert',
  import: 'import',
  /** The server can read click counts, which requires API keys for Cloudflare's analytics. */
  clicks: 'clicks',
} as const;

/**
 * Maximum number of links in a batch. Sink accepts 100, but each link that already exists needs a separate request.
 */
const BATCH_SIZE = 50;

/**
 * Rules for codes. Capital letters are excluded, because most servers convert codes to lower case. `dashboard` is
 * excluded: Sink accepts this code, but the short link does not work.
 */
const CODE_RULES = {
  pattern: /^(?!dashboard$)(?=.{1,512}$)[a-z0-9]+(?:-[a-z0-9]+)*$/,
  maxLength: 512,
};

const EDITABLE = ['url', 'title', 'expiresAt'] as const;

/** Returns the capabilities of a Sink server. They depend on its version and configuration. */
export function sinkCapabilities(service: ServiceInfo | null): Capabilities {
  const has = (feature: string) => service?.features.includes(feature) ?? false;
  return {
    shortPaths: 'codes',
    safeRetry: 'same_code',
    ownCode: CODE_RULES,
    generatedCode: GENERATED_CODE,
    title: true,
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
