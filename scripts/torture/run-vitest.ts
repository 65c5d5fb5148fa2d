import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs test files in a separate process. Returns the output if a test failed, or null if all tests passed. */
export async function runVitest(
  files: string[],
  projects: string[],
  environment: Record<string, string>,
): Promise<string | null> {
  const options = projects.map((project) => `--project=${project}`);
  const child = spawn('vitest', ['run', ...options, '--reporter=dot', '--testTimeout=0', ...files], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => output.push(text));
  const [code] = await once(child, 'close');
  return code === 0 ? null : output.join('');
}
