// Runs before each test file: makes `vi.waitFor` and `vi.waitUntil` wait as long as `expect.poll`.
import { vi } from 'vitest';

const { waitFor, waitUntil } = vi;
/** Milliseconds. */
const timeout = 20_000;

vi.waitFor = (callback, options = { timeout }) => waitFor(callback, options);
vi.waitUntil = (callback, options = { timeout }) => waitUntil(callback, options);
