import { vi } from 'vitest';

/**
 * Gives the next request a time limit of 50 ms, for tests of a server that does not respond. Later requests keep
 * their own limits.
 */
export function shortenNextTimeout(): void {
  const { timeout } = AbortSignal;
  vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() => timeout.call(AbortSignal, 50));
}
