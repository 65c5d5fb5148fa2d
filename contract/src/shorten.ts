import * as z from 'zod/mini';
import { ShortUrl } from './short-url.ts';

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
