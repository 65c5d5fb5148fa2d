import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { provideBrowsers } from '../browsers/install.ts';

/** Finds or installs the browsers. If a browser is still missing, prints instructions and returns false. */
export async function hasBrowsers(): Promise<boolean> {
  try {
    const { chromium, firefox } = await provideBrowsers((line) => console.log(line));
    console.log(`Chromium: ${chromium}\nFirefox:  ${firefox}\n`);
    return true;
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** Runs a command from node_modules/.bin and shows its output. Returns true if the command succeeded. */
export function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

/** Runs commands from node_modules/.bin concurrently. Returns true if all of them succeeded. */
export async function runAll(...commands: string[][]): Promise<boolean> {
  const ended = commands.map(([command = '', ...args]) =>
    once(spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }), 'exit'),
  );
  const results = await Promise.allSettled(ended);
  return results.every((one) => one.status === 'fulfilled' && one.value[0] === 0);
}

/** Builds the extension for both browsers. Any output is a warning or an error, so the result is then false. */
export async function buildExtension(): Promise<boolean> {
  const outputs = ['chrome', 'firefox'].map((mode) =>
    promisify(execFile)('vite', ['build', '--logLevel=warn', '--mode', mode]).then(
      ({ stdout, stderr }) => stdout + stderr,
      String,
    ),
  );
  const output = (await Promise.all(outputs)).join('');
  if (output !== '') console.log(output);
  return output === '';
}
