import * as z from 'zod/mini';

/** Maximum length of a short URL, in characters. A QR code can contain only a few thousand bytes. */
const MAX_LENGTH = 2_048;

/** Matches a URL with at most 2,048 bytes, because a character outside ASCII has up to four bytes. */
const FITS_QR_CODE = /^(?:[ -~]*|.{0,512})$/u;

/**
 * A short URL in a response. Spaces, control characters, lone surrogates and characters that change the text
 * direction are invalid, because users read and copy short URLs. User info is invalid, because
 * `https://bank.example@evil.example/a` appears to be on a different host.
 */
export const ShortUrl = z
  .url({ protocol: /^https?$/ })
  .check(
    z.maxLength(MAX_LENGTH),
    z.regex(FITS_QR_CODE),
    z.regex(/^(?!\w+:[/\\]*[^/\\?#]*@)[^\s\p{Cc}\p{Cs}\p{Bidi_Control}]*$/u),
  );

/** The long URL in a request. */
export const LongUrl = z
  .string()
  .check(
    z.describe(
      'The long URL: `http` or `https`, without user name or password, and no longer than `maxUrlBytes` of the service document.',
    ),
  );

/** Body of `POST /api/shorten` (specification, section 4.1). Other fields are ignored. */
export const ShortenRequest = z.object({ url: LongUrl });
export type ShortenRequest = z.infer<typeof ShortenRequest>;

/** Response of `POST /api/shorten` with the status 200. The optional `message` is intended for users. */
export const ShortenAnswer = z.object({
  message: z._default(z.string(), '').check(z.describe('A message for people.')),
  shortUrl: ShortUrl.check(z.describe('The whole short URL.')),
});
export type ShortenAnswer = z.infer<typeof ShortenAnswer>;
