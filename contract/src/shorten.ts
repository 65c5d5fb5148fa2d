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

/** Body of `POST /api/shorten` (specification, section 4.1). Fields it does not name are ignored. */
export const ShortenRequest = z.object({ url: z.string() });
export type ShortenRequest = z.infer<typeof ShortenRequest>;

/**
 * Answer of `POST /api/shorten`, HTTP 200. `message` is for people; a client needs `shortUrl` alone, so a service that
 * leaves the message out is understood too.
 */
export const ShortenAnswer = z.object({
  message: z._default(z.string(), ''),
  shortUrl: ShortUrl,
});
export type ShortenAnswer = z.infer<typeof ShortenAnswer>;
