import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { tempFolder } from './temp.ts';
import { until } from './until.ts';

/** An X display of the test's own, with a keyboard and a mouse. */
export interface Display {
  /** As in the environment's DISPLAY. */
  name: string;
  /** Presses keys by their X names, one after the other, e.g. `alt+shift+u`, `Return`. */
  press(...keys: string[]): void;
  /** Types a text, as quickly as a person who types well. */
  type(text: string): void;
  click(x: number, y: number): void;
  /** Clicks with the right button and returns when the menu that opens stands still. */
  openMenu(x: number, y: number): Promise<void>;
  /** The colour of a point of the screen, as 0xRRGGBB. */
  colourAt(x: number, y: number): number;
  /** The text of the X clipboard, as any other program would paste it. */
  clipboard(): string;
  close(): Promise<void>;
}

/** Starts a virtual X server on a free display number. Needs Xvfb, xdotool and xclip. */
export async function openDisplay(): Promise<Display> {
  const folder = tempFolder('display');
  const server = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp', '-noreset', '-fbdir', folder],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const [number] = await once(server.stdio[3] as Readable, 'data');
  const name = `:${String(number).trim()}`;
  const env = { ...process.env, DISPLAY: name };
  const xdotool = (...args: string[]) => execFileSync('xdotool', args, { env });
  const screen = () => readFileSync(join(folder, 'Xvfb_screen0'));
  const moveTo = (x: number, y: number) => xdotool('mousemove', String(x), String(y));
  /** Returns the screen once it has looked the same for a moment. */
  const stillScreen = async () => {
    let last = screen();
    await until('the screen to stand still', async () => {
      await pause(150);
      const before = last;
      last = screen();
      return before.equals(last);
    });
    return last;
  };
  return {
    name,
    press: (...keys) => void xdotool('key', '--delay', '40', ...keys),
    type: (text) => void xdotool('type', '--delay', '40', text),
    click(x, y) {
      moveTo(x, y);
      xdotool('click', '1');
    },
    async openMenu(x, y) {
      moveTo(x, y);
      const before = await stillScreen();
      xdotool('click', '3');
      await until('a menu to open', () => !before.equals(screen()));
      await stillScreen();
    },
    colourAt: (x, y) => colourInDump(screen(), x, y),
    clipboard: () => execFileSync('xclip', ['-selection', 'clipboard', '-out'], { env, encoding: 'utf8' }),
    async close() {
      server.kill();
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
}

/**
 * Reads a point of an XWD dump (X11/XWDFile.h): a header of 32-bit big-endian words, whose first is the header's own
 * size, 12th the bytes of a line and 19th the number of 12-byte colour entries before the picture, 4 bytes a point.
 */
function colourInDump(dump: Buffer, x: number, y: number): number {
  const word = (index: number) => dump.readUInt32BE(index * 4);
  const picture = word(0) + word(19) * 12;
  return dump.readUInt32LE(picture + y * word(12) + x * 4) & 0xffffff;
}
