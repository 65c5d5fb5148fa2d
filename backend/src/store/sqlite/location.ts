import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import { unusable } from './database.ts';

/** So many links in a row are followed, as Linux does. */
const MOST_LINKS = 40;

/** The same for every symbolic link that leads to the file, whether it is there yet or not. @throws StoreError */
export function locationOf(path: string): string {
  try {
    makeFolder(dirname(path));
    let location = path;
    for (let links = 0; links < MOST_LINKS; links += 1) {
      location = join(realpathSync(dirname(location)), basename(location));
      const target = linkTarget(location);
      if (target === null) return location;
      location = resolve(dirname(location), target);
    }
    throw Object.assign(new Error('Too many symbolic links.'), { code: 'ELOOP' });
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Where a file is that a symbolic link names; any other path as it is. @throws StoreError */
export function withoutLink(path: string): string {
  try {
    return linkTarget(path) === null ? path : locationOf(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    // It is no link, or nothing is there.
    if (['EINVAL', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
