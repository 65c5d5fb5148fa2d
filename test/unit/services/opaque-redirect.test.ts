import { expect, test } from 'vitest';
import { type Fetch, sendAttempt } from '../../../src/services/terse/create-links.ts';
import { probeService } from '../../../src/services/terse/probe.ts';
import { anAttempt } from '../queue/support/queue-builders.ts';

// Node's fetch shows a redirect that is not followed as what it is. Browsers hide it behind this, by the Fetch standard.
const asInBrowsers: Fetch = (_url, { redirect }) => {
  const response = Response.error();
  Object.defineProperty(response, 'type', { value: redirect === 'manual' ? 'opaqueredirect' : 'error' });
  return Promise.resolve(response);
};

const SERVICE = { baseUrl: 'https://a.example', apiKey: 'key' };

test('a redirect that a browser hides is a redirect', async () => {
  const outcome = await sendAttempt(asInBrowsers, SERVICE, anAttempt(['a']), () => 0);
  expect(outcome).toMatchObject({ answered: false, items: [{ kind: 'not_made', code: 'redirected' }] });
  expect(await probeService(asInBrowsers, 'https://a.example', 'key')).toEqual({
    reached: false,
    problem: 'redirected',
  });
});
