import { expect, test } from 'vitest';
import { probeServer, sendAttempt } from '../../../src/servers/call-server.ts';
import type { Fetch } from '../../../src/servers/http.ts';
import { aPost } from '../queue/support/queue-builders.ts';
import { terseServer } from './terse-server.ts';

// With `redirect: 'manual'`, browsers return an opaque response instead of the redirect. Node's `fetch` returns the
// redirect.
const asInBrowsers: Fetch = (_url, { redirect }) => {
  const response = Response.error();
  Object.defineProperty(response, 'type', { value: redirect === 'manual' ? 'opaqueredirect' : 'error' });
  return Promise.resolve(response);
};

const SERVER = terseServer({ baseUrl: 'https://a.example', apiKey: 'key' }, { fetch: asInBrowsers });

test('a redirect that the browser hides is detected', async () => {
  const outcome = await sendAttempt(SERVER, aPost(['a']));
  expect(outcome).toMatchObject({ answered: false, items: [{ kind: 'not_made', code: 'redirected' }] });
  expect(await probeServer(SERVER)).toEqual({
    reached: false,
    problem: 'redirected',
  });
});
