/** Asking the browser takes as long for so many bytes as for one. */
const DRAWN = 1_024;

let unused = new Uint8Array();

/** So many bytes of the browser's cryptographically secure random source, each given out once. */
export function randomBytes(count: number): Uint8Array {
  if (unused.length < count) unused = crypto.getRandomValues(new Uint8Array(count + DRAWN));
  const given = unused.slice(0, count);
  unused = unused.subarray(count);
  return given;
}
