import { SHORT_CODE_PATTERN } from '@terse/contract/link-fields';
import { FEATURE } from '@terse/contract/service-capabilities';
import type { Capabilities } from '../capabilities.ts';
import type { ServiceInfo } from '../service-adapter.ts';

/** Maximum number of links in a batch. The API allows 100, but the server responds faster to smaller batches. */
const BATCH_SIZE = 50;

const CODE_RULES = { pattern: SHORT_CODE_PATTERN, maxLength: 64 };

const EDITABLE = ['url', 'title', 'expiresAt'] as const;

/** Returns the capabilities of a server with our API, based on the features in its service document. */
export function terseCapabilities(service: ServiceInfo | null): Capabilities {
  const has = (feature: string) => service?.features.includes(feature) ?? false;
  const isIdempotent = has(FEATURE.idempotency);
  const hasLinks = has(FEATURE.links);
  // Without idempotency, repeating a create request with the same short code would fail if the first request
  // succeeded.
  const takesCodes = has(FEATURE.chosenCodes) && hasLinks && isIdempotent;
  return {
    shortPaths: 'all',
    safeRetry: isIdempotent ? 'idempotency_key' : 'none',
    ownCode: hasLinks ? CODE_RULES : null,
    generatedCode: (takesCodes && service?.codes) || null,
    title: hasLinks,
    expiry: hasLinks,
    tags: hasLinks && has(FEATURE.tags),
    // If the items of a batch have no separate idempotency keys, splitting a failed batch could create links twice.
    batchSize: has(FEATURE.batch) && has(FEATURE.itemIdempotency) ? BATCH_SIZE : 1,
    list: hasLinks,
    find: hasLinks,
    edit: has(FEATURE.edit) ? EDITABLE : [],
    clear: has(FEATURE.edit) ? ['title', 'expiresAt'] : [],
    delete: hasLinks,
    clicks: has(FEATURE.analytics) ? 'details' : hasLinks ? 'total' : 'none',
    reusesLinks: false,
    domains: (service?.domains?.length ?? 0) > 1,
    checksKey: has(FEATURE.key),
    limits: 'specification',
  };
}

/** Returns the capabilities of a server that implements only the specification. */
export function specificationCapabilities(): Capabilities {
  return terseCapabilities(null);
}
