import { type Capabilities, GENERATED_CODE } from '../capabilities.ts';
import type { ServiceInfo } from '../service-adapter.ts';

/** Maximum time until a link expires, in seconds. The server silently reduces larger values to this maximum. */
export const MAX_DELAY_SECONDS = 157_784_760;

/** Feature of a server that accepts capital letters in codes. */
export const CAPITALS = 'capitals';

/**
 * Returns the capabilities of a server. The server's configuration decides whether codes may contain capital letters.
 */
export function chhotoCapabilities(service: ServiceInfo | null): Capabilities {
  const pattern = service?.features.includes(CAPITALS) ? /^[A-Za-z0-9_-]+$/ : /^[a-z0-9_-]+$/;
  return {
    shortPaths: 'codes',
    safeRetry: 'same_code',
    ownCode: { pattern, maxLength: 255 },
    generatedCode: GENERATED_CODE,
    title: true,
    expiry: true,
    tags: false,
    // When a batch is repeated, each link that already exists needs a separate request. All these requests must fit
    // into the time limit of the attempt.
    batchSize: 25,
    list: true,
    find: true,
    edit: ['url', 'title', 'expiresAt'],
    // The server ignores empty values, so fields cannot be emptied.
    clear: [],
    delete: true,
    clicks: 'total',
    reusesLinks: false,
    domains: false,
    checksKey: true,
    limits: 'none',
  };
}
