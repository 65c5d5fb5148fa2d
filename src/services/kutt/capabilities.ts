import { type Capabilities, GENERATED_CODE } from '../capabilities.ts';

/**
 * Maximum length of a title. Kutt itself accepts longer titles, but its database column in PostgreSQL and MySQL does
 * not.
 */
export const MAX_TITLE_LENGTH = 255;

/**
 * Paths of Kutt's pages, which cannot be short codes. Kutt refuses only lower-case spellings. It accepts `Login` as a
 * code, for example, but the short link does not work.
 */
const PAGES = [
  ...['login', 'logout', 'signup', 'settings', 'admin', 'create-admin', 'stats', 'report', 'banned', 'terms'],
  ...['verify', 'verify-email', 'reset-password', 'link', 'protected', 'url-info', 'url-password', '404', 'privacy'],
  ...['api', 'static', 'images', 'css', 'fonts', 'libs', 'pricing'],
];

const CODE_RULES = {
  pattern: new RegExp(`^(?!(?:${PAGES.join('|')})$)[a-z0-9_-]{1,64}$`, 'i'),
  maxLength: 64,
};

const CAPABILITIES: Capabilities = {
  shortPaths: 'codes',
  // Two create requests that arrive at the same moment may create two links with the same code, so a lookup is needed
  // before a request is repeated.
  safeRetry: 'look_up',
  ownCode: CODE_RULES,
  generatedCode: GENERATED_CODE,
  title: true,
  expiry: true,
  tags: false,
  batchSize: 1,
  list: true,
  find: true,
  edit: ['url', 'title', 'expiresAt'],
  // Empty, because Kutt ignores requests to remove the title or the expiry.
  clear: [],
  delete: true,
  clicks: 'details',
  reusesLinks: false,
  domains: true,
  checksKey: true,
  limits: 'none',
};

/** Returns the capabilities of a Kutt server. The capabilities are the same in all versions with API v2. */
export function kuttCapabilities(): Capabilities {
  return CAPABILITIES;
}
