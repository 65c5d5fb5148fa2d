// Runs before each test file: `vi.waitFor` and `vi.waitUntil` wait as long as `expect.poll`, which the configuration sets.
import { vi } from 'vitest';

const { waitFor, waitUntil } = vi;
/** In milliseconds. */
const timeout = 20_000;

vi.waitFor = (callback, options = { timeout }) => waitFor(callback, options);
vi.waitUntil = (callback, options = { timeout }) => waitUntil(callback, options);
