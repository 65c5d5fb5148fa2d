import { globSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { installPackage } from './program.ts';

/**
 * Returns environment variables for a process whose clock is wrong by `seconds`. The process uses libfaketime
 * (package `faketime` on Debian and Ubuntu). Monotonic clocks stay unchanged.
 *
 * @throws if libfaketime is missing and cannot be installed
 */
export function otherClock(seconds: number): Record<string, string> {
  return { ...preload(), FAKETIME: offsetOf(seconds) };
}

/** The clock of running processes, which can be set at any time. */
export interface AdjustableClock {
  /** Environment variables for the processes. */
  environment: Record<string, string>;
  /** Makes the clock of all processes wrong by `seconds`, immediately. */
  set(seconds: number): void;
}

/**
 * Creates a clock that is right until it is set.
 *
 * @param file file for the clock, in a folder that all processes can read
 * @throws if libfaketime is missing and cannot be installed
 */
export function adjustableClock(file: string): AdjustableClock {
  const set = (seconds: number) => {
    // Renames the file, because a process must never read an incomplete file.
    writeFileSync(`${file}.new`, offsetOf(seconds), { mode: 0o644 });
    renameSync(`${file}.new`, file);
  };
  set(0);
  return { environment: { ...preload(), FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' }, set };
}

function preload(): Record<string, string> {
  if (!find()) installPackage('faketime', () => {});
  const library = find();
  if (!library) throw new Error('This test needs libfaketime. On Debian and Ubuntu: sudo apt-get install faketime');
  return { LD_PRELOAD: library, DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}

function offsetOf(seconds: number): string {
  return `${seconds < 0 ? '' : '+'}${seconds}s`;
}

/** On Debian, the folder's name contains the machine's architecture. */
const find = () => globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];

const DAY = 86_400_000;

/** Maximum duration of a test that must not run across midnight, in milliseconds. */
const LONGEST_TEST = 30_000;

/**
 * Waits if midnight UTC is near. Quotas and visitor counts reset at midnight, so some tests must run within one day.
 */
export async function awayFromMidnight(): Promise<void> {
  const left = () => DAY - (Date.now() % DAY);
  while (left() < LONGEST_TEST) await sleep(left());
}
