import '../../../gallery/stubbed.ts';
import { expect, test, vi } from 'vitest';
import type { Entry } from '../../../../src/pages/bulk/list-model.ts';
import { type CostPreview, useCostPreview } from '../../../../src/pages/bulk/quota-preview.ts';
import type { Link, Queue } from '../../../../src/queue/types.ts';
import { aQueue, NOW } from '../../queue/support/queue-builders.ts';
import { render, rerender } from '../../support/render.ts';

// @vitest-environment happy-dom

const KNOWN = new Map<string, Link>();
const entries = (count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `e${index}`,
    url: `https://x.example/${index}`,
    title: '',
    times: 1,
    userInfoRemoved: false,
  }));

let plan: CostPreview | null;

function Page({ queue, chosen }: { queue: Queue | null; chosen: Entry[] }) {
  plan = useCostPreview(queue, chosen, KNOWN, 'never', NOW, true);
  return null;
}

test('the preview is recomputed when the list changes, but not while the list is sent', async () => {
  const queue = aQueue();
  await render(<Page queue={queue} chosen={entries(2)} />);
  await vi.waitFor(() => expect(plan?.cost).toBe(2));
  await rerender(<Page queue={queue} chosen={entries(3)} />);
  await vi.waitFor(() => expect(plan?.cost).toBe(3));

  vi.useFakeTimers();
  await rerender(<Page queue={null} chosen={entries(1)} />);
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  expect(plan?.cost).toBe(3);
});
