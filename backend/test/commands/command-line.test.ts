import type { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProgram, runCommandLine } from '../../src/commands/cli.ts';

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

function namesOf(command: Command, path = ''): string[] {
  if (command.commands.length === 0) return [path];
  return command.commands.flatMap((child) => namesOf(child, `${path} ${child.name()}`.trim()));
}

it('the command line has exactly the expected commands', () => {
  expect(namesOf(createProgram())).toEqual([
    'serve',
    'keys create',
    'keys list',
    'keys revoke',
    'accounts setup',
    'accounts create',
    'accounts reset',
    'accounts list',
    'accounts disable',
    'accounts enable',
    'accounts delete',
    'links delete',
    'backup',
    'restore',
    'move',
    'health',
  ]);
});

describe('an invalid command line is refused', () => {
  it.each([
    [['bogus'], "Unknown command 'bogus'."],
    [['constructor'], "Unknown command 'constructor'."],
    [['key'], "Unknown command 'key'.\n(Did you mean keys?)"],
    [['keys', 'bogus'], "Unknown command 'bogus'."],
    [['serve', 'now'], "Too many arguments for 'serve'. Expected 0 arguments but got 1."],
    [['move'], "Missing required argument 'FROM'."],
    [['move', 'a'], "Missing required argument 'TO'."],
    [['move', '--undo', 'a'], "Missing required argument 'TO'."],
    [['backup'], "Missing required argument 'FILE'."],
    [['backup', ''], "Command-argument value '' is invalid for argument 'FILE'. It is empty."],
    [['backup', 'a', '--name', 'b'], "Unknown option '--name'."],
    [['keys', 'create'], "Required option '--name <NAME>' not specified."],
    [['keys', 'create', '--name', 'a', '--qouta', '5'], "Unknown option '--qouta'.\n(Did you mean --quota?)"],
    [['keys', 'create', '--name'], "Option '--name <NAME>' argument missing."],
    [['keys', 'create', '--name', 'a', '--__proto__', 'b'], "Unknown option '--__proto__'."],
    [
      ['keys', 'create', '--name', 'a', '--throttle', 'x'],
      "Option '--throttle <N>' argument 'x' is invalid. It must be a number of requests per second from 0.001 to 100000.",
    ],
    [['links', 'delete', '-abc'], "Unknown option '-abc'."],
  ])('%j', async (words, message) => {
    expect(await errorOf(...words)).toBe(message);
  });
});

it('an incomplete command prints its usage', async () => {
  expect(await errorOf()).toBe('');
  expect(await errorOf('keys')).toBe('');
});
