import { setTimeout as pause } from 'node:timers/promises';
import { LinkList } from '@terse/contract';
import { send } from './http-call.ts';

/** Time limit of one request in milliseconds, long enough for a busy machine. */
const TIMEOUT = 60_000;

/** Reads all links of the account with their click counts. */
export async function readAllLinks(api: string, key: string): Promise<{ code: string; url: string; clicks: number }[]> {
  const links: { code: string; url: string; clicks: number }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const options = { headers: { 'X-API-Key': key }, timeout: TIMEOUT };
    const { status, body } = await send(`${api}/api/v1/urls?limit=100${page}`, options);
    if (status === 429) await pause(200);
    else if (status !== 200) throw new Error(`The links could not be read: ${status} ${body}`);
    else {
      const list = LinkList.parse(JSON.parse(body));
      links.push(...list.links.map(({ shortCode, url, clicks }) => ({ code: shortCode, url, clicks })));
      cursor = list.nextCursor;
    }
  }
  return links;
}
