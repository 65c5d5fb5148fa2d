import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { tempFolder } from './folders.ts';
import { until } from './until.ts';

/** A temporary X display with keyboard and mouse. */
export interface Display {
  name: string;
  /** Presses keys one after the other by their X names, such as `alt+shift+u` or `Return`. */
  press(...keys: string[]): void;
  type(text: string): void;
  click(x: number, y: number): void;
  /** Waits until the screen stops changing. */
  settle(): Promise<void>;
  /** Returns the number of visible windows. Each menu and submenu is a window. */
  windows(): number;
  /** Right-clicks a point, and waits until the opened menu stops moving. */
  openMenu(x: number, y: number): Promise<void>;
  /** Returns the color of a screen pixel as 0xRRGGBB. */
  colourAt(x: number, y: number): number;
  /** Returns the text of the X clipboard, as another program would paste it. */
  clipboard(): string;
  close(): Promise<void>;
}

/** Time after which a click that opened no menu is repeated, in milliseconds. A second click would close a slow menu. */
const CLICK_LOST_AFTER = 10_000;

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
  const windows = () =>
    xdotool('search', '--onlyvisible', '--maxdepth', '1', '--name', '.*').toString().split('\n').length;
  const screen = () => readFileSync(join(folder, 'Xvfb_screen0'));
  const moveTo = (x: number, y: number) => xdotool('mousemove', String(x), String(y));
  const settle = async () => {
    let last = screen();
    await until('the screen to stop changing', async () => {
      await pause(150);
      const before = last;
      last = screen();
      return before.equals(last);
    });
  };
  return {
    name,
    press: (...keys) => void xdotool('key', '--delay', '40', ...keys),
    type: (text) => void xdotool('type', '--delay', '40', text),
    click(x, y) {
      moveTo(x, y);
      xdotool('click', '1');
    },
    settle,
    windows,
    async openMenu(x, y) {
      moveTo(x, y);
      await settle();
      const before = windows();
      // Repeats the click, because a popup that is closing can swallow it.
      await until('a menu to open', () => {
        xdotool('click', '3');
        return until('a menu', () => windows() > before, CLICK_LOST_AFTER).catch(() => false);
      });
      await settle();
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
 * Returns the color of a pixel in an XWD screen dump, with 4 bytes per pixel. The format is documented in X11/XWDFile.h.
 * The header has 32-bit big-endian words: word 1 is the header's size, word 12 is the number of bytes per line, and word
 * 19 is the number of color entries. Each color entry has 12 bytes.
 */
function colourInDump(dump: Buffer, x: number, y: number): number {
  const word = (index: number) => dump.readUInt32BE(index * 4);
  const picture = word(0) + word(19) * 12;
  return dump.readUInt32LE(picture + y * word(12) + x * 4) & 0xffffff;
}
