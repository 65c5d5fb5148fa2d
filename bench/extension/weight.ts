import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadedFiles } from '../../scripts/build/loaded-files.ts';
import { readFiles, zipSmall } from '../../scripts/build/zip.ts';

/** Bytes of a build, after gzip as far as a name does not say otherwise. */
export interface Weight {
  worker: number;
  popup: number;
  /** The popup without its page and styles. */
  popupScripts: number;
  options: number;
  links: number;
  /** The whole package for the store. */
  zip: number;
}

/** What each part of a built extension has to load before it works: scripts, styles and the page itself. */
export async function weigh(build: string): Promise<Weight> {
  const manifest = JSON.parse(readFileSync(join(build, 'manifest.json'), 'utf8'));
  const { service_worker, scripts = [service_worker] } = manifest.background;
  const isScript = (file: string) => file.endsWith('.js');
  const weightOf = (...roots: string[]) => sum(loadedFiles(build, roots).map((file) => gzipped(join(build, file))));
  return {
    worker: weightOf(...scripts),
    popup: weightOf('src/popup/index.html'),
    popupScripts: weightOf(...loadedFiles(build, ['src/popup/index.html']).filter(isScript)),
    options: weightOf('src/options/index.html'),
    links: weightOf('src/links/index.html'),
    zip: (await zipSmall(readFiles(build))).length,
  };
}

const gzipped = (file: string): number => gzipSync(readFileSync(file), { level: 9 }).length;
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
