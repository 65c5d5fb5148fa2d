import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { makeOwnedFolder, removeAbandoned, removeOwnedFolder } from '../../src/files/file-lock.ts';

function givenDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'terse-owned-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** Program that continuously tries to lock every folder, like a process that searches for abandoned folders. */
const LOOK_FOR_EVER = `
  const { readdirSync } = require('node:fs');
  const { join } = require('node:path');
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData: directory } = require('node:worker_threads');
  parentPort.postMessage('looking');
  for (;;) {
    for (const name of readdirSync(directory).filter((name) => !name.startsWith('.'))) {
      const lock = new DatabaseSync(join(directory, name, 'lock'), { open: false });
      try {
        lock.open();
        lock.exec('BEGIN EXCLUSIVE');
      } catch {}
      if (lock.isOpen) lock.close();
    }
  }
`;

it('a folder can be deleted while another thread checks if the folder is abandoned', async () => {
  const directory = givenDirectory();
  const owned = makeOwnedFolder(directory, 'one');
  // Many files make the deletion slow, so that the other thread sees the folder in every state.
  for (let file = 0; file < 1000; file += 1) writeFileSync(join(owned.folder, String(file)), '');
  const onlooker = new Worker(LOOK_FOR_EVER, { eval: true, workerData: directory });
  await new Promise((looking) => onlooker.once('message', looking));
  removeOwnedFolder(owned);
  await onlooker.terminate();
  expect(readdirSync(directory)).toEqual([]);
});

it('a folder whose deletion was interrupted is deleted by the next process', () => {
  const directory = givenDirectory();
  const { folder, unlock } = makeOwnedFolder(directory, '.terse-removed-one-1');
  rmSync(join(folder, 'lock'));
  unlock();
  removeAbandoned(directory, 'one-');
  expect(readdirSync(directory)).toEqual([]);
});

it('a folder that cannot be created leaves nothing behind', () => {
  const directory = givenDirectory();
  mkdirSync(join(directory, 'one', 'taken'), { recursive: true });
  expect(() => makeOwnedFolder(directory, 'one')).toThrow('ENOTEMPTY');
  expect(readdirSync(directory)).toEqual(['one']);
});
