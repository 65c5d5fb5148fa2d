import { FEATURE } from '@terse/contract/service-capabilities';
import { useMemo } from 'preact/hooks';
import { displayText } from '../../format/display-text.ts';
import { formatNumber, joinSentences, t } from '../../format/i18n.ts';
import { formatDateTime, formatDuration } from '../../format/relative-time.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import type { ConnectionReport } from '../../messages/protocol.ts';
import { Fact } from '../fact.tsx';
import { type FindingProps, Notice } from '../notice.tsx';
import { Announcer } from '../page-shell.tsx';
import type { Failure, Phase } from './use-connection-form.ts';

type Reached = ConnectionReport & { reached: true };
type Quota = (Reached['key'] & { state: 'accepted' })['quota'];

/** What a probe of the service found. */
export function Report({ report, now }: { report: ConnectionReport; now: number }) {
  // The report counts the seconds from its own time, while the page's time goes on.
  const reportedAt = useMemo(() => now, [report]);
  if (!report.reached) return <Notice icon="warning" tone="is-danger" text={t(`test_${report.problem}`)} />;
  const { service, key } = report;
  return (
    <dl class="report">
      <Fact name={t('reportService')}>
        <bdi>
          {service
            ? t('reportServiceNamed', displayText(service.name), displayText(service.version))
            : t('reportServicePlain')}
        </bdi>
      </Fact>
      <Fact name={t('apiKey')}>{keyText(key)}</Fact>
      {key.state === 'accepted' && (
        <>
          <Fact name={t('reportLimits')}>
            {limitsText(formatNumber(key.quota.limit), key.quota.windowSeconds, formatNumber(key.perSecond))}
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
  return t('reportLimitsIn', quota, formatDuration(windowSeconds), rate);
}

function leftText({ remaining, limit, resetSeconds }: Quota, reportedAt: number, now: number): string {
  const [left, all] = [formatNumber(remaining), formatNumber(limit)];
  if (remaining === limit) return t('quotaLeft', left, all);
  return t('quotaLeftUntil', left, all, formatDateTime(reportedAt + resetSeconds * 1000, now));
}

function keyText(key: Reached['key']): string {
  if (key.state === 'untested') return t('reportKeyUntested');
  return key.state === 'accepted' ? t('reportKeyAccepted', displayText(key.name)) : t('reportKeyRefused');
}

function yesNo(
  service: Reached['service'],
  feature: string,
  yes: 'reportBatchYes' | 'reportResendYes',
  no: 'reportBatchNo' | 'reportResendNo',
): string {
  return t(service?.features.includes(feature) ? yes : no);
}

interface ConnectingResultProps {
  phase: Phase;
  now: number;
  /** The person has paused the queue: nothing is sent, however well its service was found. */
  onHold: boolean;
  /** Turns notifications on; null where they are on. */
  offerNotifications: (() => void) | null;
}

/** Result of "Connect" or "Test connection". The announced text is the verdict alone, because the report has running times. */
export function ConnectionTestResult({ phase, now, onHold, offerNotifications }: ConnectingResultProps) {
  const found = verdict(phase, onHold);
  const problem = phase.kind === 'probed' && !phase.report.reached ? t(`test_${phase.report.problem}`) : '';
  return (
    <>
      <div class="connecting-result">
        {found && <Notice {...found} />}
        {phase.kind === 'probed' && (
          <>
            <Report report={phase.report} now={now} />
            {phase.saved && offerNotifications && (
              <div class="offer">
                <p>{t('offerNotifications')}</p>
                <button type="button" class="button" onClick={offerNotifications}>
                  {t('turnOnNotifications')}
                </button>
              </div>
            )}
          </>
        )}
      </div>
      <Announcer text={joinSentences(found?.text ?? '', problem)} />
    </>
  );
}

function verdict(phase: Phase, onHold: boolean): FindingProps | null {
  if (phase.kind === 'probing') return { icon: 'clock', tone: 'is-busy', text: t('testing') };
  if (phase.kind === 'failed') return { icon: 'warning', tone: 'is-danger', text: failureSentence(phase.code) };
  if (phase.kind !== 'probed') return null;
  const { report, saved } = phase;
  if (saved && onHold) return { icon: 'clock', tone: '', text: joinSentences(t('saved'), t('onHold')) };
  if (saved && !report.reached) return { icon: 'clock', tone: '', text: t('savedUnseen') };
  // A service with the specification alone looks from here like any web site.
  if (report.reached && report.service === null) {
    const unsure = t('testUnsure');
    return { icon: 'globe', tone: '', text: saved ? joinSentences(t('saved'), unsure) : unsure };
  }
  if (saved) return { icon: 'check', tone: 'is-good', text: t('connectedNow') };
  if (report.reached && (report.key.state === 'refused' || report.key.state === 'forbidden')) {
    const text = report.key.state === 'refused' ? t('keyRefused') : t('refusal_key_forbidden');
    return { icon: 'warning', tone: 'is-danger', text };
  }
  return report.reached ? { icon: 'check', tone: 'is-good', text: t('testGood') } : null;
}

/** Why something could not be done. */
export function failureSentence(code: Failure): string {
  if (code === 'denied') return t('permissionDenied');
  return code === 'lost' ? t('noReply') : notShortenableMessage(code);
}
