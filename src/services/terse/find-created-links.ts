import { HEADER } from '@terse/contract/http-headers';
import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { LookedUp } from '../../queue/results/look-up-created-links.ts';
import { readJson } from '../http-client.ts';
import { type Destination, FETCH_DEFAULTS, type Fetch } from './create-links.ts';

const LOOK_UP_LIMIT_MS = 10_000;

/** The fields of a link that tell whether it is the one that was asked for. */
const Answer = z.object({ shortCode: z.string(), shortUrl: ShortUrl, url: z.string() });

/** Asks a service for the links that have these codes, by the id of their request. Costs nothing, and never throws. */
export async function lookUp(
  fetch: Fetch,
  { baseUrl, apiKey }: Destination,
  codes: Map<string, string>,
): Promise<Map<string, LookedUp>> {
  const ask = async (code: string): Promise<LookedUp> => {
    const response = await fetch(`${baseUrl}/api/v1/urls/${encodeURIComponent(code)}`, {
      ...FETCH_DEFAULTS,
      headers: { Accept: 'application/json', [HEADER.authorization]: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(LOOK_UP_LIMIT_MS),
    });
    const link = Answer.safeParse(await readJson(response));
    return response.ok && link.success && link.data.shortCode === code ? link.data : null;
  };
  const found = [...codes].map(async ([id, code]) => [id, await ask(code).catch(() => null)] as const);
  return new Map(await Promise.all(found));
}
