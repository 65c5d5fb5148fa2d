import { execFileSync } from 'node:child_process';

/** Builds the image for compose.yaml from this folder. */
export function buildImage(): void {
  // Uses the host's network, because otherwise some Docker engines cannot reach the package registry.
  execFileSync('docker', ['build', '--quiet', '--network=host', '--tag=terse', '.'], { stdio: 'pipe' });
}
