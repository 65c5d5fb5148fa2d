import type { QuotaLeft } from '../queue/request-status.ts';
import { number, t } from './strings.ts';
import { when } from './when.ts';

/** Up to this many units each is a mark of its own; more become one bar. */
const MOST_MARKS = 40;

/** How much of the budget is left, and when there is more of it. */
export function Meter({ quota, now }: { quota: QuotaLeft; now: number }) {
  const left = number(quota.left);
  const text = t('quotaLeft', left, number(quota.limit));
  return (
    <div class={`budget ${quota.left === 0 ? 'is-empty' : ''}`}>
      <meter
        class="visually-hidden"
        aria-label={t('quotaName')}
        aria-valuetext={text}
        max={quota.limit}
        value={quota.left}
      />
      <div class="meter" aria-hidden="true">
        {quota.limit <= MOST_MARKS ? (
          Array.from({ length: quota.limit }, (_, unit) => (
            <span key={String(unit)} class={unit < quota.left ? 'meter-unit is-left' : 'meter-unit'} />
          ))
        ) : (
          <span class="meter-bar" style={{ inlineSize: `${(100 * quota.left) / quota.limit}%` }} />
        )}
      </div>
      <p class="meter-text">
        <span>{text}</span>
        {quota.moreAt !== null && <span>{t('quotaMore', when(quota.moreAt, now))}</span>}
      </p>
    </div>
  );
}
