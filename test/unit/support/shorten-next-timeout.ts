import { vi } from 'vitest';

const { timeout } = AbortSignal;

/**
 * Gives the next request a time limit of 50 ms, for tests of a server that does not respond. Later requests keep
 * their own limits.
 */
export function shortenNextTimeout(): void {
  vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() => timeout.call(AbortSignal, 50));
}

/** Gives all requests of this test a time limit. The test must restore all mocks. */
export function shortenTimeouts(ms: number): void {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, ms));
}
