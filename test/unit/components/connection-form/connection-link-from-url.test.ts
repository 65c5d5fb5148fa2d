import { expect, test } from 'vitest';
import { takeOfferedConnection } from '../../../../src/components/connection-form/connection-draft.ts';

// @vitest-environment happy-dom

test("a connection link in the page's URL is read once, then removed from the URL", () => {
  const link = 'http://127.0.0.1:8787/#key=terse_abc';
  location.hash = new URLSearchParams({ connection: link }).toString();
  expect(takeOfferedConnection()).toMatchObject({ baseUrl: 'http://127.0.0.1:8787', apiKey: 'terse_abc' });
  expect(location.hash).toBe('');
  expect(takeOfferedConnection()).toBeNull();
});

test("a section name in the page's URL stays there", () => {
  location.hash = '#general';
  expect(takeOfferedConnection()).toBeNull();
  expect(location.hash).toBe('#general');
});
