import { formatNumber, t } from '../format/i18n.ts';
import { formatDateTime } from '../format/relative-time.ts';
import { isUnlimited } from '../queue/limits/own-limits.ts';
import type { QuotaLeft } from '../queue/status/request-status.ts';

/** Maximum quota that is drawn as separate marks. A larger one is drawn as a bar. */
const MOST_MARKS = 40;

/** Shows how much of the quota is left and when it resets. Nothing if the server has no quota. */
export function QuotaMeter({ quota, now }: { quota: QuotaLeft; now: number }) {
  if (isUnlimited(quota.limit)) return null;
  const left = formatNumber(quota.left);
  const text = t('quotaLeft', left, formatNumber(quota.limit));
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
        {quota.moreAt !== null && <span>{t('quotaMore', formatDateTime(quota.moreAt, now))}</span>}
      </p>
    </div>
  );
}
