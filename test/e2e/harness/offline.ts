import { until } from './until.ts';
import { type WorkerBrowser, worker } from './worker.ts';

const OPEN = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/**
 * Disconnects the extension's background worker from every network, including loopback. Returns a function that
 * reconnects the worker.
 */
export async function goOffline(browser: WorkerBrowser): Promise<() => Promise<void>> {
  const { cdp } = browser;
  const { targetId } = await until('the worker to be awake', () => worker(browser));
  const { sessionId } = await cdp.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
  await cdp.send('Network.enable', {}, sessionId);
  await cdp.send('Network.emulateNetworkConditions', { offline: true, ...OPEN }, sessionId);
  return async () => {
    await cdp.send('Network.emulateNetworkConditions', { offline: false, ...OPEN }, sessionId);
    await cdp.send('Target.detachFromTarget', { sessionId });
  };
}
