import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { Exchange } from '../http-request-types.ts';
import { isSameUrl } from '../response-to-result.ts';
import type { Found, NewLink, ServiceContext } from '../service-adapter.ts';
import { linkPath, request } from './list-edit-delete-links.ts';

const Answer = z.object({ shortCode: z.string(), shortUrl: ShortUrl, url: z.string() });

/** Reads the link with this short code. The HTTP request does not count against the quota. */
export function* findLink(
  { shortCode, url }: NewLink & { shortCode: string },
  context: ServiceContext,
): Exchange<Found> {
  const { status, json } = yield request(context, 'GET', linkPath('urls', shortCode, context.domain));
  const link = Answer.safeParse(json);
  const isSuccess = status >= 200 && status < 300;
  if (!isSuccess || !link.success || link.data.shortCode !== shortCode) return { state: 'unknown' };
  return isSameUrl(link.data.url, url) ? { state: 'found', shortUrl: link.data.shortUrl } : { state: 'taken' };
}
