import { type Capabilities, GENERATED_CODE } from '../capabilities.ts';

/** Maximum length of a title in bytes. Shlink truncates longer titles, even in the middle of a character. */
export const MAX_TITLE_BYTES = 512;

/**
 * Matches codes that Shlink stores unchanged and whose short URLs work. Paths that Shlink itself uses are excluded.
 * Slashes are excluded, because most servers replace them.
 */
const CODE_PATTERN = /^(?!rest$|robots\.txt$|\.+$)[\p{L}\p{M}\p{N}._~-]+$/u;

const CAPABILITIES: Capabilities = {
  shortPaths: 'known',
  safeRetry: 'same_code',
  ownCode: { pattern: CODE_PATTERN, maxLength: 255 },
  generatedCode: GENERATED_CODE,
  title: true,
  expiry: true,
  tags: true,
  batchSize: 1,
  list: true,
  find: true,
  edit: ['url', 'title', 'expiresAt'],
  clear: ['title', 'expiresAt'],
  delete: true,
  clicks: 'total',
  reusesLinks: false,
  domains: true,
  checksKey: true,
  limits: 'none',
};

export function shlinkCapabilities(): Capabilities {
  return CAPABILITIES;
}
