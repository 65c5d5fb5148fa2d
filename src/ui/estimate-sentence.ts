import { burstsOf, type ExpectedSend } from '../queue/estimate.ts';
import { list, number, t } from './strings.ts';
import { duration, when } from './when.ts';

const MINUTE_MS = 60_000;
/** Bursts that are named before the last one. */
const NAMED = 3;

/** When so many requests are sent, in one sentence: "Sent as the budget allows: 20 now, 15 tomorrow at 02:00." */
export function estimateSentence(sends: ExpectedSend[], ids: ReadonlySet<string>, now: number): string {
  const bursts = burstsOf(sends, ids);
  const [first, ...later] = bursts;
  const last = sends.findLast(({ requestIds }) => requestIds.some((id) => ids.has(id)));
  if (!first || !last) return '';
  if (later.length === 0 && first.at <= now + MINUTE_MS) return t('estimateNow', roughly(last.at - now));
  if (later.length === 0) return t('estimateAt', when(first.at, now));
  const named = bursts
    .slice(0, NAMED)
    .map(({ at, count }) =>
      at <= now + MINUTE_MS ? t('burstNow', number(count)) : t('burstAt', number(count), when(at, now)),
    );
  const more = bursts.length > NAMED ? [t('burstLast', when(last.at, now))] : [];
  return t('estimate', list([...named, ...more]));
}

/** Whole seconds up to a minute and a half, whole minutes beyond; never less than it takes. */
function roughly(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return duration(seconds <= 90 ? seconds : Math.ceil(seconds / 60) * 60);
}
