// Runs before each test file. Gives `vi.waitFor` and `vi.waitUntil` the same timeout as `expect.poll`.
import { vi } from 'vitest';

const { waitFor, waitUntil } = vi;
const timeout = 20_000;

vi.waitFor = (callback, options = { timeout }) => waitFor(callback, options);
vi.waitUntil = (callback, options = { timeout }) => waitUntil(callback, options);
