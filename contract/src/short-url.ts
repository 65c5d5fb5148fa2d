import * as z from 'zod/mini';

/** The longest short URL that is taken for one, in characters: a QR code holds no more than a few thousand. */
const LONGEST = 2_048;

/**
 * A short URL as a service answers it. It is copied and shown: nothing in it may end it in the middle, break a line, turn text
 * around, or be half a character. Nor has it user info: in `https://bank.example@evil.example/a` that reads like the host.
 */
export const ShortUrl = z.url({ protocol: /^https?$/ }).check(
  z.maxLength(LONGEST),
  z.refine((url) => !/[\s\p{Cc}\p{Cs}\p{Bidi_Control}]|^\w+:[/\\]*[^/\\?#]*@/u.test(url)),
);
