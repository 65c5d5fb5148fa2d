import { expect, test } from 'vitest';
import type { Fetch } from '../../../src/services/service-adapter.ts';
import { sendAttempt } from '../../../src/services/terse/create-links.ts';
import { probeService } from '../../../src/services/terse/probe.ts';
import { anAttempt } from '../queue/support/queue-builders.ts';

// With `redirect: 'manual'`, browsers return an opaque response instead of the redirect. Node's `fetch` returns the
// redirect.
const asInBrowsers: Fetch = (_url, { redirect }) => {
  const response = Response.error();
  Object.defineProperty(response, 'type', { value: redirect === 'manual' ? 'opaqueredirect' : 'error' });
  return Promise.resolve(response);
};

const SERVICE = { baseUrl: 'https://a.example', apiKey: 'key' };

test('a redirect that the browser hides is detected', async () => {
  const outcome = await sendAttempt(asInBrowsers, SERVICE, anAttempt(['a']), () => 0);
  expect(outcome).toMatchObject({ answered: false, items: [{ kind: 'not_made', code: 'redirected' }] });
  expect(await probeService(asInBrowsers, 'https://a.example', 'key')).toEqual({
    reached: false,
    problem: 'redirected',
  });
});
