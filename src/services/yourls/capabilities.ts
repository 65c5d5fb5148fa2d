import { type Capabilities, GENERATED_CODE } from '../capabilities.ts';
import type { ServiceInfo } from '../service-adapter.ts';

/** Features of a YOURLS server that a health check finds. */
export const YOURLS_FEATURE = {
  /** Anyone may create links, even without an API key. */
  public: 'public',
  /** Plugins for the actions `update` and `delete`. YOURLS itself supports neither action. */
  updatePlugin: 'update-plugin',
  deletePlugin: 'delete-plugin',
} as const;

/**
 * Rules for codes. YOURLS silently removes characters that are not in its alphabet. Capital letters are excluded,
 * because a server setting decides whether YOURLS allows them. `0` is excluded, because YOURLS treats this code as
 * missing.
 */
export const CODE_RULES = { pattern: /^(?!0$)[0-9a-z]{1,100}$/, maxLength: 100 };

/** Returns the capabilities of a YOURLS server. They depend on its plugins. */
export function yourlsCapabilities(service: ServiceInfo | null): Capabilities {
  const has = (feature: string) => service?.features.includes(feature) ?? false;
  return {
    shortPaths: 'known',
    safeRetry: 'same_code',
    ownCode: CODE_RULES,
    generatedCode: GENERATED_CODE,
    title: true,
    expiry: false,
    tags: false,
    batchSize: 1,
    list: true,
    find: true,
    edit: has(YOURLS_FEATURE.updatePlugin) ? ['url', 'title'] : [],
    clear: [],
    delete: has(YOURLS_FEATURE.deletePlugin),
    clicks: 'total',
    reusesLinks: true,
    domains: false,
    checksKey: !has(YOURLS_FEATURE.public),
    limits: 'none',
  };
}
