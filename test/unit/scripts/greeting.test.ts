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

test('where no browser was opened, the person is told to paste the connection link', () => {
  const words = greet({});
  expect(words).toContain('paste this connection link into its options page');
  expect(words).toContain(CONNECTION_LINK);
});

test('where the link stands in the form of the opened browser already, nobody is told to paste it', () => {
  const words = greet({ isBrowserOpen: true });
  expect(words).toContain('press Accept and connect');
  expect(words).not.toContain('paste');
  // The service shows the key only once, and the user needs it again to connect a second browser.
  expect(words).toContain(CONNECTION_LINK);
});

test('where there were keys already, the link is shown without one', () => {
  expect(greet({ connectionLink: null, isBrowserOpen: true })).toContain('http://127.0.0.1:8787/#key=KEY');
});
