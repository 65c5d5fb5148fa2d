import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** Returns the target of a redirect. Unlike `fetch`, accepts headers of more than 16 KiB. */
export async function locationOf(address: string): Promise<string | undefined> {
  const [response] = (await once(get(address, { maxHeaderSize: 128 * 1024 }), 'response')) as [IncomingMessage];
  response.resume();
  return response.headers.location;
}
