/**
 * Whole numbers as short text, one after another without separators: digits of five bits, the lowest first, a sixth bit
 * on each but the last. Every sign is a printable ASCII character, and reading them takes a tenth of the time that
 * reading decimals does.
 */
const FIRST_SIGN = 48;
const BASE = 32;

export function writeNumbers(numbers: Iterable<number>): string {
  let text = '';
  for (let number of numbers) {
    while (number >= BASE) {
      text += String.fromCharCode(FIRST_SIGN + BASE + (number % BASE));
      number = Math.floor(number / BASE);
    }
    text += String.fromCharCode(FIRST_SIGN + number);
  }
  return text;
}

/** The numbers in a part of a text, as `writeNumbers` wrote them. */
export function readNumbers(text: string, from: number, to: number): number[] {
  const numbers: number[] = [];
  let number = 0;
  let weight = 1;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - FIRST_SIGN;
    if (digit >= BASE) {
      number += (digit - BASE) * weight;
      weight *= BASE;
    } else {
      numbers.push(number + digit * weight);
      number = 0;
      weight = 1;
    }
  }
  return numbers;
}
