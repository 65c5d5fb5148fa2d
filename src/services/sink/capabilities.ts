import { type Capabilities, GENERATED_CODE } from '../capabilities.ts';
import type { ServiceInfo } from '../service-adapter.ts';

/** Maximum length of a title. Sink refuses longer titles. */
export const MAX_TITLE_LENGTH = 256;

/** Features that the probe finds, in addition to those of our API. */
export const SINK_FEATURE = {
  /** The server responds to a repeated create with the existing link. Older versions refuse the repetition. */
  upsert: 'upsert',
  import: 'import',
  /** The server can read click counts. It cannot if it has no API keys for Cloudflare's analytics. */
  clicks: 'clicks',
} as const;

/**
 * Maximum number of links in a batch. Sink accepts 100, but each link that already exists needs a separate request.
 */
const BATCH_SIZE = 50;

/**
 * Rules for codes. Most servers convert codes to lower case. Sink accepts the name of its dashboard as a code, but
 * never redirects it.
 */
const CODE_RULES = {
  pattern: /^(?!dashboard$)(?=.{1,512}$)[a-z0-9]+(?:-[a-z0-9]+)*$/,
  maxLength: 512,
};

const keepsTitle = (title: string) => title.length <= MAX_TITLE_LENGTH;

const EDITABLE = ['url', 'title', 'expiresAt'] as const;

/** Returns the capabilities of a Sink server. They depend on its version and configuration. */
export function sinkCapabilities(service: ServiceInfo | null): Capabilities {
  const has = (feature: string) => service?.features.includes(feature) ?? false;
  return {
    safeRetry: 'same_code',
    ownCode: CODE_RULES,
    generatedCode: GENERATED_CODE,
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
