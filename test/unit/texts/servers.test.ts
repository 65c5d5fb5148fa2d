import { readFileSync } from 'node:fs';
import { FEATURE } from '@terse/contract/service-capabilities';
import { describe, expect, test } from 'vitest';
import { KIND_NAMES, SERVICE_KINDS, type ServiceInfo, type ServiceKind } from '../../../src/servers/adapter.ts';
import { type Capabilities, capabilitiesOf } from '../../../src/servers/capabilities.ts';

const ROOT = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/servers.md', ROOT), 'utf8');

const RETRY: Record<Capabilities['safeRetry'], string> = {
  idempotency_key: 'same key',
  same_code: 'same code',
  look_up: 'looks first',
  none: 'asks you',
};

const COLUMNS: [name: string, value: (can: Capabilities) => boolean | string][] = [
  ['custom code', (can) => can.ownCode !== null],
  ['title', (can) => can.title],
  ['expiry', (can) => can.expiry],
  ['tags', (can) => can.tags],
  ['batches', (can) => can.batchSize > 1],
  ['list', (can) => can.list],
  ['edit', (can) => can.edit],
  ['clear title, expiry', (can) => can.clear],
  ['delete', (can) => can.delete],
  ['clicks', (can) => (can.clicks === 'none' ? false : can.clicks === 'total' ? 'number' : 'by day')],
  ['after a lost answer', (can) => RETRY[can.safeRetry]],
];

function infoWith(features: string[]): ServiceInfo {
  const codes = { alphabet: 'abcdefgh', length: 7 };
  return { name: 'A', shortBaseUrl: 'https://s.example', features, codes };
}

/** Returns one line of the table for a kind of server. */
function rowOf(kind: ServiceKind): string {
  const can = capabilitiesOf({ kind, service: infoWith(kind === 'terse' ? Object.values(FEATURE) : []) });
  const cells = COLUMNS.map(([, value]) => {
    const cell = value(can);
    return typeof cell === 'string' ? cell : cell ? 'yes' : '–';
  });
  return `| ${[KIND_NAMES[kind], ...cells].join(' | ')} |`;
}

describe('the page about servers', () => {
  test('has a table of what each kind of server can do', () => {
    const head = ['server', ...COLUMNS.map(([name]) => name)];
    const table = [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...SERVICE_KINDS.map(rowOf)];
    expect(page.split('\n').filter((line) => line.startsWith('|'))).toEqual(table);
  });

  test('has a section for each kind that needs one', () => {
    const kinds = SERVICE_KINDS.filter((kind) => kind !== 'specification');
    for (const kind of kinds) expect(page).toContain(`\n## ${KIND_NAMES[kind]}\n`);
  });
});
