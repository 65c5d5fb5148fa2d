import { burstsOf, type ExpectedSend } from '../queue/estimate.ts';
import type { QuotaLeft } from '../queue/request-status.ts';
import { estimateSentence } from '../ui/estimate-sentence.ts';
import { Meter } from '../ui/meter.tsx';
import { number, t, uiLocale } from '../ui/strings.ts';
import { when } from '../ui/when.ts';
import { timelineOf } from './timeline.ts';

interface BudgetPictureProps {
  quota: QuotaLeft;
  /** What is going to be sent; nothing where the queue does not go on before the person acts. */
  sends: ExpectedSend[];
  now: number;
}

/** What is left of the budget, and when what waits is sent: as a picture, and in words for who does not see it. */
export function BudgetPicture({ quota, sends, now }: BudgetPictureProps) {
  const ids = new Set(sends.flatMap(({ requestIds }) => requestIds));
  return (
    <div class="budget-picture">
      <Meter quota={quota} now={now} />
      {sends.length > 0 && (
        <>
          <Bars {...{ quota, sends, now }} />
          <p class="help">{estimateSentence(sends, ids, now)}</p>
        </>
      )}
    </div>
  );
}

function Bars({ quota, sends, now }: BudgetPictureProps) {
  const { bars, days, moreX } = timelineOf(burstsOf(sends), quota.limit, quota.moreAt, now);
  const weekday = new Intl.DateTimeFormat(uiLocale(), { weekday: 'short' });
  const at = (x: number) => ({ insetInlineStart: `${x}%` });
  return (
    <div class="timeline" aria-hidden="true">
      <div class="timeline-bars">
        {days.map((day) => (
          <span key={day.at} class="timeline-day" style={at(day.x)} />
        ))}
        {moreX !== null && <span class="timeline-more" style={at(moreX)} />}
        {bars.map((bar) => (
          <span
            key={bar.at}
            class="timeline-bar"
            title={t('burstAt', number(bar.count), when(bar.at, now))}
            style={{ ...at(bar.x), blockSize: `${Math.max(8, bar.height)}%` }}
          />
        ))}
      </div>
      <div class="timeline-names">
        {days
          .filter(({ isNamed }) => isNamed)
          .map((day) => (
            <span key={day.at} class="timeline-name" style={at(day.x)}>
              {weekday.format(day.at)}
            </span>
          ))}
      </div>
    </div>
  );
}
