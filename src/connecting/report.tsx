import { FEATURE } from '@terse/contract/features';
import { useMemo } from 'preact/hooks';
import type { ConnectionReport } from '../messages/messages.ts';
import { shownText } from '../platform/text.ts';
import { Fact } from '../ui/fact.tsx';
import { Finding } from '../ui/finding.tsx';
import { number, t } from '../ui/strings.ts';
import { duration, when } from '../ui/when.ts';

type Reached = ConnectionReport & { reached: true };
type Quota = (Reached['key'] & { state: 'accepted' })['quota'];

/** What a probe of the service found. */
export function Report({ report, now }: { report: ConnectionReport; now: number }) {
  // The report counts the seconds from its own time, while the page's time goes on.
  const reportedAt = useMemo(() => now, [report]);
  if (!report.reached) return <Finding icon="warning" tone="is-danger" text={t(`test_${report.problem}`)} />;
  const { service, key } = report;
  return (
    <dl class="report">
      <Fact name={t('reportService')}>
        <bdi>
          {service
            ? t('reportServiceNamed', shownText(service.name), shownText(service.version))
            : t('reportServicePlain')}
        </bdi>
      </Fact>
      <Fact name={t('apiKey')}>{keyText(key)}</Fact>
      {key.state === 'accepted' && (
        <>
          <Fact name={t('reportLimits')}>
            {limitsText(number(key.quota.limit), key.quota.windowSeconds, number(key.perSecond))}
          </Fact>
          <Fact name={t('reportLeft')}>{leftText(key.quota, reportedAt, now)}</Fact>
        </>
      )}
      <Fact name={t('manyTitle')}>{yesNo(service, FEATURE.batch, 'reportBatchYes', 'reportBatchNo')}</Fact>
      <Fact name={t('reportResend')}>{yesNo(service, FEATURE.idempotency, 'reportResendYes', 'reportResendNo')}</Fact>
    </dl>
  );
}

const DAY_SECONDS = 24 * 3_600;

function limitsText(quota: string, windowSeconds: number, rate: string): string {
  if (windowSeconds === DAY_SECONDS) return t('reportLimitsValue', quota, rate);
  return t('reportLimitsIn', quota, duration(windowSeconds), rate);
}

function leftText({ remaining, limit, resetSeconds }: Quota, reportedAt: number, now: number): string {
  const [left, all] = [number(remaining), number(limit)];
  if (remaining === limit) return t('quotaLeft', left, all);
  return t('quotaLeftUntil', left, all, when(reportedAt + resetSeconds * 1000, now));
}

function keyText(key: Reached['key']): string {
  if (key.state === 'untested') return t('reportKeyUntested');
  return key.state === 'accepted' ? t('reportKeyAccepted', shownText(key.name)) : t('reportKeyRefused');
}

function yesNo(
  service: Reached['service'],
  feature: string,
  yes: 'reportBatchYes' | 'reportResendYes',
  no: 'reportBatchNo' | 'reportResendNo',
): string {
  return t(service?.features.includes(feature) ? yes : no);
}
