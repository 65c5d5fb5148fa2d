import type { Capabilities } from '../capabilities.ts';

/** Maximum length of a title. Kutt accepts more, but its column in PostgreSQL and MySQL does not. */
export const MAX_TITLE_LENGTH = 255;

/** Paths of Kutt's pages. Kutt refuses them as codes only in lower case, but never redirects `Login` either. */
const PAGES = [
  ...['login', 'logout', 'signup', 'settings', 'admin', 'create-admin', 'stats', 'report', 'banned', 'terms'],
  ...['verify', 'verify-email', 'reset-password', 'link', 'protected', 'url-info', 'url-password', '404', 'privacy'],
  ...['api', 'static', 'images', 'css', 'fonts', 'libs', 'pricing'],
];

const CODE_RULES = {
  pattern: new RegExp(`^(?!(?:${PAGES.join('|')})$)[a-z0-9_-]{1,64}$`, 'i'),
  minLength: 1,
  maxLength: 64,
  isCaseSensitive: true,
};

const CAPABILITIES: Capabilities = {
  // Two creates at the same moment both get the same code, so a repeat needs a look first.
  safeRetry: 'look_up',
  ownCode: CODE_RULES,
  generatedCode: { alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789', length: 10 },
  title: true,
  keepsTitle: (title) => title.length <= MAX_TITLE_LENGTH,
  expiry: true,
  tags: false,
  batchSize: 1,
  list: true,
  find: true,
  edit: ['url', 'title', 'expiresAt'],
  // Kutt treats an empty title or expiry as not sent.
  clear: [],
  delete: true,
  clicks: 'details',
  reusesLinks: false,
  domains: true,
  checksKey: true,
  limits: 'none',
};

/** Returns the capabilities of a Kutt server. All versions with API v2 have the same. */
export function kuttCapabilities(): Capabilities {
  return CAPABILITIES;
}
