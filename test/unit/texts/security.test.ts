import { expect, test } from 'vitest';
import { checkShown, type Proof, readProofs, readSource, sourcesIn } from '../support/proofs.ts';

/** A requirement, or a chapter or section whose requirements all do not apply. */
interface Entry extends Partial<Pick<Proof, 'shown'>> {
  /** Number of the requirement, and a few words about it. */
  says: string;
  /** Reason why the requirement does not apply. */
  doesNotApply?: string;
  /** Part of the requirement that is missing, and the reason. */
  notMet?: string;
}

const entries = readProofs<Entry>('docs/security.tests.yaml');

test.each(entries)('$says', ({ shown, doesNotApply, notMet }) => {
  if (shown) checkShown(shown);
  expect(shown !== undefined || notMet !== undefined).toBe(doesNotApply === undefined);
});

const { using } = sourcesIn('backend/src/', 'src/', 'contract/src/');

test('no code runs text as code, or starts programs', () => {
  expect(using(/\beval\(|new Function\(|node:vm|child_process|\bimport\((?!['"])/)).toEqual([]);
});

test('scripts of pages write text, never HTML', () => {
  expect(using(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|setHTML/i)).toEqual([]);
});

test('regular expressions are never built from input', () => {
  // These files build regular expressions only from constants.
  expect(using(/\bRegExp\(/)).toEqual([
    'backend/src/domain/accounts/api-keys.ts',
    'contract/src/addresses.ts',
    'contract/src/readable-host.ts',
    'contract/src/urls-in-text.ts',
    'src/components/connection-form/connection-draft.ts',
  ]);
});

test('SQL contains values only as parameters', () => {
  // These files pass only fixed words, numbers and names of the schema to `raw`.
  expect(using(/\braw\(/)).toEqual([
    'backend/src/store/postgres/connection-pool.ts',
    'backend/src/store/postgres/migrate.ts',
    'backend/src/store/sql/link-rows.ts',
  ]);
});

test("hashes are SHA-256 or argon2id, and secrets come from Node's random bytes", () => {
  expect(
    using(/createHash\((?!'sha256'\))|[^.\w]hash\('(?!sha256')|createHmac|createCipher|subtle\.(?!digest\('SHA-256')/),
  ).toEqual([]);
  expect(using(/\bargon2\b/)).toEqual(['backend/src/domain/accounts/passwords.ts']);
  // These files randomize pauses before retries, which need no secure random numbers.
  expect(using(/Math\.random/)).toEqual([
    'backend/src/store/postgres/connection-pool.ts',
    'src/background/create-background.ts',
  ]);
});

test('scripts of the dashboard store nothing but a cookie', () => {
  const dashboard = sourcesIn('backend/src/dashboard/assets/', 'backend/src/api/openapi/');
  expect(dashboard.using(/localStorage|sessionStorage|indexedDB|caches\b|cookieStore|serviceWorker/)).toEqual([]);
  expect(dashboard.using(/document\.cookie/)).toEqual(['backend/src/dashboard/assets/dashboard.js']);
});

test('both proxies send HSTS for a year', () => {
  for (const file of ['deploy/Caddyfile', 'deploy/cluster/haproxy.cfg']) {
    expect(readSource(file)).toContain('Strict-Transport-Security "max-age=31536000"');
  }
});

test('settings and backups are readable only by the service and its administrator', () => {
  expect(readSource('docs/self-hosting.md')).toContain('install -m 0640 -g terse deploy/terse.env /etc/terse.env');
  expect(readSource('docs/self-hosting.md')).toContain('`chmod 600 .env`');
  const unit = readSource('deploy/terse.service');
  for (const line of ['UMask=0077', 'StateDirectoryMode=0700', 'User=terse']) expect(unit).toContain(`\n${line}\n`);
});
