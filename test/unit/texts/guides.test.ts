import { readFileSync } from 'node:fs';
import { ANALYTICS_RANGE, TITLE_LIMIT } from '@terse/contract';
import { expect, test } from 'vitest';
import { MAX_ROWS } from '../../../backend/src/import/open-file.ts';
import { MAX_ROW_LENGTH } from '../../../backend/src/import/read-records.ts';
import messages from '../../../public/_locales/en/messages.json' with { type: 'json' };
import { MAX_LINKS } from '../../../src/background/link-sync.ts';
import { MAX_URLS } from '../../../src/pages/bulk/collect-urls.ts';
import { MAX_OWN_LIMIT } from '../../../src/queue/limits.ts';
import { KIND_NAMES } from '../../../src/servers/adapter.ts';

/** Returns a file's text, with line breaks as spaces. */
function textOf(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
}

test.each<[string, string, number]>([
  ['README.md', 'You can shorten up to # URLs', MAX_URLS],
  ['docs/extension.md', 'You can shorten up to # URLs at once', MAX_URLS],
  ['docs/extension.md', 'The links page shows up to # links', MAX_LINKS],
  ['docs/store/listing/en.yaml', 'See the links of your server (up to #)', MAX_LINKS],
  ['docs/servers.md', 'Each limit can be at most #.', MAX_OWN_LIMIT],
  ['docs/dashboard.md', 'if it has more than # characters', MAX_ROW_LENGTH],
  ['docs/api.md', '`hour` (at most # days)', ANALYTICS_RANGE.hour],
  ['docs/api.md', '`day` (# days)', ANALYTICS_RANGE.day],
  ['docs/api.md', '`month` (# days)', ANALYTICS_RANGE.month],
  ['docs/dashboard.md', 'Titles are cut after # characters', TITLE_LIMIT],
  ['docs/dashboard.md', 'A file may contain up to # links', MAX_ROWS],
])('%s contains the limit of the code: %s', (path, sentence, limit) => {
  expect(textOf(path)).toContain(sentence.replace('#', limit.toLocaleString('en')));
});

/** Labels of browsers, which the guide quotes too. */
const OF_BROWSERS = ['Load unpacked', 'This Firefox', 'Load Temporary Add-on'];

test.each(['docs/extension.md', 'docs/privacy.md'])('%s quotes the labels of the extension', (path) => {
  const quoted = [...textOf(path).matchAll(/"([^"]+)"/g)].map(([, label = '']) => label);
  const labels = [...OF_BROWSERS, ...Object.values(messages).map(({ message }) => message)];
  expect(quoted.filter((label) => !labels.includes(label))).toEqual([]);
  expect(quoted).toContain('Delete everything');
});

test.each(['README.md', 'docs/servers.md', 'docs/store/listing/en.yaml', 'public/_locales/en/messages.json'])(
  '%s names every kind of server',
  (path) => {
    const { specification: _, ...named } = KIND_NAMES;
    expect(Object.values(named).filter((name) => !textOf(path).includes(name))).toEqual([]);
  },
);
