/** The longest wait a service can ask for, in seconds: a week. Beyond it the value is taken for nonsense. */
export const LONGEST_WAIT_SECONDS = 7 * 86_400;

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3): whole seconds, or an HTTP date.
 *
 * @param value the header as received, or null
 * @param now the answer's own `Date` where it had one, else the local time; milliseconds since the epoch
 * @returns seconds to wait, at least 0, or null where the value is missing or nonsense (some services send epoch
 *   milliseconds; obeying them would stall the queue for millennia)
 */
export function parseRetryAfter(value: string | null, now: number): number | null {
  const text = value?.trim() ?? '';
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : secondsUntil(text, now);
  return seconds !== null && seconds <= LONGEST_WAIT_SECONDS ? seconds : null;
}

function secondsUntil(text: string, now: number): number | null {
  // Date.parse takes far more than HTTP dates; only their preferred form counts.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : Math.max(0, Math.ceil((instant - now) / 1000));
}
