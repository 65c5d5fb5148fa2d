import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Outcome, run, type ServeProcess, startServe } from './process.ts';

/** An empty temporary folder in which tests run the program. It is deleted with its processes. */
export interface TestFolder {
  path: string;
  /** Returns the path of a file in the folder. */
  file(...names: string[]): string;
  /** Runs the command line in the folder until it ends. Further arguments are those of `run`. */
  run(args: string[], environment?: Record<string, string>, program?: string, shell?: string): Promise<Outcome>;
  /** Starts `serve` in the folder, and kills it with the folder if it is still running then. */
  serve(environment?: Record<string, string>, launcher?: readonly string[]): Promise<ServeProcess>;
  remove(): Promise<void>;
}

function createFolder(): TestFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'terse-test-')));
  const serving: ServeProcess[] = [];
  return {
    path,
    file: (...names) => join(path, ...names),
    run: (...command) => run(path, ...command),
    async serve(environment, launcher) {
      const process = await startServe(path, environment, launcher);
      serving.push(process);
      return process;
    },
    async remove() {
      const running = serving.filter(({ child }) => child.exitCode === null && child.signalCode === null);
      await Promise.all(running.map(({ end }) => end('SIGKILL')));
      rmSync(path, { recursive: true });
    },
  };
}

/** Creates a folder before each test. Returns an object that is always the current folder. */
export function folderForEach(): TestFolder {
  const folder = {} as TestFolder;
  beforeEach(() => void Object.assign(folder, createFolder()));
  afterEach(() => folder.remove());
  return folder;
}

/** Creates one folder for all tests of a file. */
export function folderForFile(): TestFolder {
  const folder = {} as TestFolder;
  beforeAll(() => void Object.assign(folder, createFolder()));
  afterAll(() => folder.remove());
  return folder;
}
