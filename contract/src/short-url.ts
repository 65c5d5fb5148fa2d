import * as z from 'zod/mini';

/** The longest short URL that is taken for one, in characters: a QR code holds no more than a few thousand. */
const LONGEST = 2_048;

/** A short URL as a service answers it. It is copied and shown: nothing in it may break a line or turn text around. */
export const ShortUrl = z.url({ protocol: /^https?$/ }).check(
  z.maxLength(LONGEST),
  z.refine((url) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(url)),
);
