import { afterEach, expect, it, vi } from 'vitest';
import { runCommandLine } from '../../src/commands/cli.ts';

afterEach(() => void vi.restoreAllMocks());

/** Returns the first lines of the error output, up to the usage text. */
async function errorOf(...words: string[]): Promise<string> {
  let output = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    output += text;
    return true;
  });
  await expect(runCommandLine(words)).rejects.toMatchObject({ code: expect.stringMatching(/^commander\./) });
  expect(output).toMatch(/^Usage: terse /m);
  return output.split(/^Usage: /m)[0]?.trim() ?? '';
}

it.each([
  [['bogus'], "Unknown command 'bogus'."],
  [['key'], "Unknown command 'key'.\n(Did you mean keys?)"],
  [['serve', 'now'], "Too many arguments for 'serve'. Expected 0 arguments but got 1."],
  [['move'], "Missing required argument 'FROM'."],
  [['move', '--undo', 'a'], "Missing required argument 'TO'."],
  [['backup', ''], "Command-argument value '' is invalid for argument 'FILE'. It is empty."],
  [['keys', 'create'], "Required option '--name <NAME>' not specified."],
  [['keys', 'create', '--name', 'a', '--qouta', '5'], "Unknown option '--qouta'.\n(Did you mean --quota?)"],
  [['keys', 'create', '--name'], "Option '--name <NAME>' argument missing."],
  [
    ['keys', 'create', '--name', 'a', '--throttle', 'x'],
    "Option '--throttle <N>' argument 'x' is invalid. It must be a number of requests per second from 0.001 to 100000.",
  ],
  [['links', 'delete', '-abc'], "Unknown option '-abc'."],
])('an invalid command line is refused %j', async (words, message) => {
  expect(await errorOf(...words)).toBe(message);
});

it('an incomplete command prints its usage', async () => {
  expect(await errorOf()).toBe('');
  expect(await errorOf('keys')).toBe('');
});
