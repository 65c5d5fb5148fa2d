import * as z from 'zod/mini';

/** Maximum length of a short URL in characters. A QR code holds only a few thousand. */
const MAX_LENGTH = 2_048;

/**
 * A short URL in a response. Users copy and read it, so it must not contain spaces, control characters, half characters, or
 * characters that reverse the text. User info is invalid too: `https://bank.example@evil.example/a` looks like another host.
 */
export const ShortUrl = z.url({ protocol: /^https?$/ }).check(
  z.maxLength(MAX_LENGTH),
  z.refine((url) => !/[\s\p{Cc}\p{Cs}\p{Bidi_Control}]|^\w+:[/\\]*[^/\\?#]*@/u.test(url)),
);

/** Body of `POST /api/shorten` (specification, section 4.1). Other fields are ignored. */
export const ShortenRequest = z.object({ url: z.string() });
export type ShortenRequest = z.infer<typeof ShortenRequest>;

/** Response of `POST /api/shorten` with status 200. `message` is for people, and services may omit it. */
export const ShortenAnswer = z.object({
  message: z._default(z.string(), ''),
  shortUrl: ShortUrl,
});
export type ShortenAnswer = z.infer<typeof ShortenAnswer>;
