import { describe, expect, test } from 'vitest';
import { checkShown, type Proof, readProofs, readSource, sourcesIn } from '../support/proofs.ts';

/** Requirements of levels 1 and 2 in OWASP ASVS 5.0.0. `1.2.1-9` are the nine requirements from 1.2.1 to 1.2.9. */
const REQUIREMENTS = `
  1.1.1-2 1.2.1-9 1.3.1-11 1.4.1-3 1.5.1-2
  2.1.1-3 2.2.1-3 2.3.1-4 2.4.1-1
  3.2.1-2 3.3.1-4 3.4.1-6 3.5.1-5 3.7.1-2
  4.1.1-3 4.2.1-1 4.3.1-2 4.4.1-4
  5.1.1-1 5.2.1-3 5.3.1-2 5.4.1-3
  6.1.1-3 6.2.1-12 6.3.1-4 6.4.1-4 6.5.1-5 6.6.1-3 6.8.1-4
  7.1.1-3 7.2.1-4 7.3.1-2 7.4.1-5 7.5.1-2 7.6.1-2
  8.1.1-2 8.2.1-3 8.3.1-1 8.4.1-1
  9.1.1-3 9.2.1-4
  10.1.1-2 10.2.1-2 10.3.1-4 10.4.1-11 10.5.1-5 10.6.1-2 10.7.1-3
  11.1.1-2 11.2.1-3 11.3.1-3 11.4.1-4 11.5.1-1 11.6.1-1
  12.1.1-3 12.2.1-2 12.3.1-4
  13.1.1-1 13.2.1-5 13.3.1-2 13.4.1-5
  14.1.1-2 14.2.1-4 14.3.1-3
  15.1.1-3 15.2.1-3 15.3.1-7
  16.1.1-1 16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3
  17.1.1-1 17.2.1-4 17.3.1-2`
  .trim()
  .split(/\s+/)
  .flatMap((range) => {
    const [, section, first, last] = /^(\d+\.\d+)\.(\d+)-(\d+)$/.exec(range) ?? [];
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${section}.${Number(first) + at}`);
  });

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

const requirementsOf = ({ says }: Entry): string[] => {
  const number = says.replace(/ .*/, '');
  return REQUIREMENTS.filter((one) => one === number || one.startsWith(`${number}.`));
};

describe('the requirements of OWASP ASVS', () => {
  test('are each listed once, in their order', () => {
    expect(REQUIREMENTS).toHaveLength(253);
    expect(entries.flatMap(requirementsOf)).toEqual(REQUIREMENTS);
  });

  test.each(entries)('$says', (entry) => {
    const { shown, doesNotApply, notMet } = entry;
    if (shown) checkShown(shown);
    expect(shown !== undefined || notMet !== undefined).toBe(doesNotApply === undefined);
    if (requirementsOf(entry).length > 1) expect(doesNotApply).toBeDefined();
    for (const reason of [doesNotApply, notMet]) expect(reason ?? 'Nothing.').toMatch(/^[A-Z].*\.$/);
  });
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
    'src/servers/capabilities.ts',
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
