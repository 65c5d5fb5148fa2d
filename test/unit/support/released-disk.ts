import { readFileSync } from 'node:fs';
import { openDB } from 'idb';
import type { DiskDump } from '../../e2e/harness/disk-dump.ts';
import { freshDisk } from './disk.ts';
import browser from './fake-browser.ts';

/** States of version 0.1.0 that `test/fixtures/releases/0.1.0/record.ts` recorded. */
export const RECORDED_010 = ['full', 'killed', 'disconnected', 'spec-only'] as const;

export function recordedDisk(state: (typeof RECORDED_010)[number]): DiskDump {
  return JSON.parse(readFileSync(new URL(`../../fixtures/releases/0.1.0/${state}.json`, import.meta.url), 'utf8'));
}

/** Restores a recorded state: the database with its object stores, indexes and records, and `storage.local`. */
export async function restoreDisk({ database, local }: DiskDump): Promise<void> {
  freshDisk();
  const restored = await openDB(database.name, database.version, {
    upgrade(opened) {
      for (const { name, keyPath, indexes } of database.stores) {
        const store = opened.createObjectStore(name, { keyPath });
        for (const { name, keyPath, unique, multiEntry } of indexes) {
          store.createIndex(name, keyPath, { unique, multiEntry });
        }
      }
    },
  });
  for (const { name, keyPath, records } of database.stores) {
    for (const { key, value } of records) await restored.put(name, value, keyPath === null ? key : undefined);
  }
  restored.close();
  await browser.storage.local.set(local);
}
