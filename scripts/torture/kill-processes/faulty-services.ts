import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type Backend, startBackend } from '../../../test/e2e/harness/backend.ts';
import { type Gate, openGate } from '../../../test/e2e/harness/proxies.ts';
import { type SpecOnlyService, startSpecOnlyService } from '../../../test/e2e/harness/spec-only-service.ts';
import type { Chance } from '../random-choices.ts';

/** Two services in which a test can cause faults. Only `backend` supports idempotency keys. */
export interface Services {
  backend: Backend;
  gate: Gate;
  specOnly: SpecOnlyService;
  changeFaults(chance: Chance): void;
  removeFaults(): void;
  killBackend(downFor: number): Promise<void>;
  /** Returns the longest time in milliseconds during which this process was blocked. */
  stall(): number;
  end(): Promise<void>;
}

/** High limits, so that only the extension's own rate limit delays requests. */
const HIGH_LIMITS = { TERSE_THROTTLE: '100', TERSE_DAILY_QUOTA: '100000' };

const GATE_MANNERS = ['right', 'right', 'drop-before', 'drop-after', 'cut', 'hold'] as const;
const SPEC_ONLY_MANNERS = [
  'right',
  'right',
  'right',
  'drop-before',
  'drop-after',
  'drop-after',
  'html-500',
  'garbage',
  'limited-retry-after',
  'hang',
] as const;

export async function startServices(): Promise<Services> {
  const [backend, specOnly] = await Promise.all([startBackend(HIGH_LIMITS), startSpecOnlyService()]);
  const gate = await openGate(backend.baseUrl);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  return {
    backend,
    gate,
    specOnly,
    changeFaults(chance) {
      gate.manner = chance.pick(GATE_MANNERS);
      specOnly.manner = chance.pick(SPEC_ONLY_MANNERS);
    },
    removeFaults() {
      gate.manner = 'right';
      specOnly.manner = 'right';
    },
    async killBackend(downFor) {
      await backend.kill();
      await pause(downFor);
      await backend.start();
    },
    stall: () => delays.max / 1e6,
    async end() {
      delays.disable();
      await Promise.all([backend.kill(), gate.close(), specOnly.close()]);
    },
  };
}
