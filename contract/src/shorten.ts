import * as z from 'zod/mini';

/**
 * Maximum length of a short URL, in characters. The limit exists because a QR code can contain only a few thousand
 * characters.
 */
const MAX_LENGTH = 2_048;

/**
 * A short URL in a response. Spaces, control characters, lone surrogates and characters that change the text
 * direction are invalid, because users read and copy short URLs. User info is invalid, because
 * `https://bank.example@evil.example/a` appears to be on a different host.
 */
export const ShortUrl = z.url({ protocol: /^https?$/ }).check(
  z.maxLength(MAX_LENGTH),
  z.refine((url) => !/[\s\p{Cc}\p{Cs}\p{Bidi_Control}]|^\w+:[/\\]*[^/\\?#]*@/u.test(url)),
);

/** Body of `POST /api/shorten` (specification, section 4.1). Other fields are ignored. */
export const ShortenRequest = z.object({ url: z.string() });
export type ShortenRequest = z.infer<typeof ShortenRequest>;

/** Response of `POST /api/shorten` with the status 200. The optional `message` is intended for users. */
export const ShortenAnswer = z.object({
  message: z._default(z.string(), ''),
  shortUrl: ShortUrl,
});
export type ShortenAnswer = z.infer<typeof ShortenAnswer>;
