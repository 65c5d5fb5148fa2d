import type { IncomingMessage } from 'node:http';
import type { AccountLimits } from '../domain/budgets.ts';
import type { ProxySettings } from '../domain/client-address.ts';
import type { Clock } from '../domain/clock.ts';
import type { KeyLimits } from '../domain/limits.ts';
import type { Random } from '../domain/random.ts';
import type { TargetRules } from '../domain/urls.ts';
import type { Log } from '../log/log.ts';
import type { Session } from '../store/account-store.ts';
import type { Store } from '../store/store.ts';

/** Everything outside the dashboard that its pages use. */
export interface Services extends ProxySettings {
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  /** The limits of a key that has none of its own. */
  limits: KeyLimits;
  /** What accounts other than the owner's may do in a day. */
  accountLimits: AccountLimits;
  targets: TargetRules;
  baseUrl: string;
  shortBaseUrl: string;
  /** Notes beside the answer that a session was used. */
  lastUses: { session(session: Session, now: number): void };
  /** Called with the code of a link that was changed or deleted, so that its short URL follows at once. */
  onLinkChanged(code: string): void;
  /** A folder on disk for files while they are imported. */
  uploadDirectory: string;
  /** Restarts the time that a request has to arrive, while its body is still coming. */
  extendDeadline(request: IncomingMessage): void;
  /** Makes a stop of the service wait for work that continues after the answer. */
  holdStop(work: Promise<void>): void;
  isStopping(): boolean;
}
