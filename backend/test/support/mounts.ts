import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Returns a launcher for a program that can write to only one folder, like the container in compose.yaml. */
export function writingOnlyTo(folder: string): string[] {
  const script = `mount --bind "$0" "$0"
    for mount in / /tmp /var/tmp /dev/shm; do ! mountpoint -q $mount || mount -o remount,ro,bind $mount; done
    cd / && exec "$@"`;
  return ['unshare', '--mount', 'sh', '-ec', script, folder];
}

/**
 * Creates a small virtual disk in a folder. Only programs that run through the returned launchers see the disk, as
 * the subfolder `disk`.
 * The first launcher moves `terse.db` to the disk. The second launcher fills the disk.
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
