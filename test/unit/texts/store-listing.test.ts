import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { DATA_SENT, manifestFor } from '../../../scripts/build/manifest.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

interface Listing {
  name: string;
  summary: string;
  description: string;
}

/** Limits of Chrome's store in characters. Mozilla's limits are 50, 250 and 15,000. */
const LIMITS = { name: 45, summary: 132, description: 15_000 };
/** Maximum length in characters of a permission's justification in Chrome's form. */
const ANSWER = 1_000;

const answers = parse(read('docs/store/answers.yaml'));
const [chrome, firefox] = [manifestFor('chrome'), manifestFor('firefox')];
const listings = readdirSync(new URL('docs/store/listing/', ROOT));

describe.each(listings)('the store listing %s', (file) => {
  const listing: Listing = parse(read(`docs/store/listing/${file}`));
  const messages = JSON.parse(read(`public/_locales/${file.replace('.yaml', '')}/messages.json`));

  test('has every text, within the limits of both stores', () => {
    expect(Object.keys(listing)).toEqual(Object.keys(LIMITS));
    for (const [field, limit] of Object.entries(LIMITS)) {
      const text = listing[field as keyof Listing];
      expect(text.trim().length, field).toBeGreaterThan(0);
      expect([...text].length, field).toBeLessThanOrEqual(limit);
    }
  });

  test('has the same name and summary as the package', () => {
    expect({ name: listing.name, summary: listing.summary }).toEqual({
      name: messages.extensionName.message,
      summary: messages.extensionDescription.message,
    });
  });

  test("describes the sent data with the extension's own words", () => {
    expect(listing.description).toContain(messages.privacy.message);
  });

  test('is plain text with as many list items as in English', () => {
    expect(listing.description).not.toMatch(/[<>]|\*\*|\]\(/);
    const parts = ({ description }: Listing) => description.split('\n').filter((line) => line.startsWith('•')).length;
    expect(parts(listing)).toBe(parts(parse(read('docs/store/listing/en.yaml'))));
  });
});

test('every language of the extension has a store listing', () => {
  const locales = readdirSync(new URL('public/_locales/', ROOT));
  expect(listings).toEqual(locales.map((locale) => `${locale}.yaml`));
});

test('every permission is justified, and no others', () => {
  const asked = [chrome, firefox].flatMap(({ permissions, optional_permissions }) => [
    ...permissions,
    ...optional_permissions,
  ]);
  expect(Object.keys(answers.permissions).toSorted()).toEqual([...new Set(asked)].toSorted());
  for (const [name, reason] of Object.entries<string>(answers.permissions)) {
    expect(reason.length, name).toBeGreaterThan(40);
    expect(reason.length, name).toBeLessThanOrEqual(ANSWER);
    const isOptional = (chrome.optional_permissions as string[]).includes(name);
    expect(reason.startsWith('Optional, '), name).toBe(isOptional);
  }
  for (const text of [answers.singlePurpose, answers.hostPermissions]) expect(text.length).toBeLessThanOrEqual(ANSWER);
});

test('the justification for hosts contains the patterns of the manifests', () => {
  for (const { optional_host_permissions } of [chrome, firefox]) {
    for (const pattern of optional_host_permissions) expect(answers.hostPermissions).toContain(pattern);
  }
});

test('Chrome and Firefox list the same kinds of data, and no forbidden use', () => {
  const usage: Record<string, string> = answers.chromeDataUsage;
  expect(new Set(Object.values(usage))).toEqual(new Set(['yes', 'no']));
  expect(Object.keys(usage).filter((kind) => usage[kind] === 'yes')).toEqual(Object.keys(DATA_SENT));
});
