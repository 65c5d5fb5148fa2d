import { expect, test } from 'vitest';
import { greeting, type Running } from '../../../scripts/start/greeting.ts';

const CONNECTION_LINK = 'http://127.0.0.1:8787/#key=terse_abc';

function greet(given: Partial<Running>): string {
  return greeting({
    baseUrl: 'http://127.0.0.1:8787',
    shortBaseUrl: 'http://127.0.0.1:8788',
    root: '/home/ada/terse',
    connectionLink: CONNECTION_LINK,
    setupLink: null,
    isBrowserOpen: false,
    ...given,
  });
}

test('without an open browser, the message asks the user to paste the connection link', () => {
  const words = greet({});
  expect(words).toContain('paste this connection link into its options page');
  expect(words).toContain(CONNECTION_LINK);
});

test('with a filled-in form in the browser, the message does not ask the user to paste anything', () => {
  const words = greet({ isBrowserOpen: true });
  expect(words).toContain('press "Connect"');
  expect(words).not.toContain('paste');
  // The user needs the link again to connect a second browser.
  expect(words).toContain(CONNECTION_LINK);
});

test('if there are keys already, the message contains a link without a key', () => {
  expect(greet({ connectionLink: null, isBrowserOpen: true })).toContain('http://127.0.0.1:8787/#key=KEY');
});
