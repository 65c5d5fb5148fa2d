import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Returns a launcher for a program that can write into one folder only, as in the container of compose.yaml. */
export function writingOnlyTo(folder: string): string[] {
  const script = `mount --bind "$0" "$0"
    for mount in / /tmp /var/tmp /dev/shm; do ! mountpoint -q $mount || mount -o remount,ro,bind $mount; done
    cd / && exec "$@"`;
  return ['unshare', '--mount', 'sh', '-ec', script, folder];
}

/**
 * Creates a small disk as a file in a folder. Only programs run by the launchers see it, at `disk` in that folder. The
 * first launcher moves the file `terse.db` there, the second fills the disk.
 */
export function makeDisk(folder: string): { launcher: string[]; fullLauncher: string[] } {
  const image = join(folder, 'image');
  execFileSync('truncate', ['--size=16M', image]);
  execFileSync('mkfs.ext4', ['-q', '-m', '0', image]);
  execFileSync('mkdir', [join(folder, 'disk')]);
  const launch = (fill: string) => {
    const script = `cd "$0" && mount -o loop image disk && ${fill} && cd / && exec "$@"`;
    return ['unshare', '--mount', 'sh', '-ec', script, folder];
  };
  return {
    launcher: launch('mv terse.db disk/'),
    fullLauncher: launch('{ dd if=/dev/zero of=disk/filler bs=1k || sync; } 2> filled'),
  };
}
