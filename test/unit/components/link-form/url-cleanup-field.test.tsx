import '../../../gallery/stubbed.ts';
import { useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import type { CanonicalResult } from '../../../../src/browser/read-page.ts';
import { type AddressChoice, AddressFields } from '../../../../src/components/link-form/url-cleanup-field.tsx';
import { render, textOf } from '../../support/render.ts';

// @vitest-environment happy-dom

/** All reads of the canonical URL, in the order in which they started. */
let reads: PromiseWithResolvers<CanonicalResult>[] = [];
vi.mock('../../../../src/browser/read-page.ts', () => ({
  readCanonical: () => {
    const read = Promise.withResolvers<CanonicalResult>();
    reads.push(read);
    return read.promise;
  },
}));

const CANONICAL = 'https://a.example/canonical';
let choice: AddressChoice;

function Page() {
  const [chosen, choose] = useState<AddressChoice>({ canonical: null, removeTracking: true, dropTextFragment: true });
  choice = chosen;
  const url = 'https://a.example/?utm_source=x';
  return <AddressFields tabId={1} choice={chosen} isOwn={() => false} {...{ url, choose }} />;
}

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('input')];
const tick = (index: number) => act(() => boxes()[index]?.click());
const tickTracking = () => tick(0);
const tickCanonical = () => tick(1);
const answer = (index: number, result: CanonicalResult) => act(async () => reads[index]?.resolve(result));

beforeEach(async () => {
  reads = [];
  await render(<Page />);
});

test('a box that the user changes while the canonical URL is read keeps its value', async () => {
  await tickCanonical();
  await tickTracking();
  expect(boxes().map(({ checked }) => checked)).toEqual([false, true]);
  await answer(0, { url: CANONICAL });
  expect(choice).toMatchObject({ canonical: CANONICAL, removeTracking: false });
});

test('a canonical URL is not used if the user unchecks its box during the read', async () => {
  await tickCanonical();
  await tickCanonical();
  expect(boxes()[1]?.checked).toBe(false);
  await answer(0, { url: CANONICAL });
  expect(choice.canonical).toBeNull();
  expect(boxes()[1]?.checked).toBe(false);
});

test('if the canonical URL is read twice, only the last result counts', async () => {
  await tickCanonical();
  await tickCanonical();
  await tickCanonical();
  await answer(0, 'none');
  expect(boxes()[1]?.checked).toBe(true);
  expect(textOf(document.querySelector('[role="status"]'))).toBe('');
  await answer(1, { url: CANONICAL });
  expect(choice.canonical).toBe(CANONICAL);
});
