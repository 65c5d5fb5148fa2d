import { displayText } from '../../format/display-text.ts';
import { formatNumber, joinSentences, t } from '../../format/i18n.ts';
import { formatDuration } from '../../format/relative-time.ts';
import type { ConnectionReport } from '../../messages/protocol.ts';
import { NameValueRow } from '../name-value-row.tsx';
import { type FindingProps, Notice } from '../notice.tsx';
import { failureSentence } from './connecting-handlers.ts';
import type { Phase } from './use-connection-form.ts';

const DAY_SECONDS = 24 * 3_600;

type Reached = ConnectionReport & { reached: true };
type Quota = NonNullable<(Reached['key'] & { state: 'accepted' })['quota']>;

function Report({ service, key }: Reached) {
  return (
    <dl class="report">
      <NameValueRow name={t('reportService')}>
        <bdi>
          {service
            ? t('reportServiceNamed', displayText(service.name), displayText(service.version ?? '')).trim()
            : t('reportServicePlain')}
        </bdi>
      </NameValueRow>
      <NameValueRow name={t('apiKey')}>{keyText(key)}</NameValueRow>
      {key.state === 'accepted' && key.quota && key.perSecond !== null && (
        <NameValueRow name={t('reportLimits')}>{limitsText(key.quota, formatNumber(key.perSecond))}</NameValueRow>
      )}
    </dl>
  );
}

function limitsText({ limit, windowSeconds }: Quota, rate: string): string {
  if (windowSeconds === DAY_SECONDS) return t('reportLimitsValue', formatNumber(limit), rate);
  return t('reportLimitsIn', formatNumber(limit), formatDuration(windowSeconds), rate);
}

function keyText(key: Reached['key']): string {
  if (key.state === 'untested') return t('reportKeyUntested');
  if (key.state !== 'accepted') return t('reportKeyRefused');
  return key.name === '' ? t('reportKeyAcceptedPlain') : t('reportKeyAccepted', displayText(key.name));
}

interface ConnectingResultProps {
  phase: Phase;
  /** True if the user paused the queue. A paused queue sends nothing, even if the server is healthy. */
  paused: boolean;
}

/**
 * Shows the result of saving or testing a connection. After a test, also shows the details of the server. Only the
 * result is in a live region.
 */
export function ConnectionTestResult({ phase, paused }: ConnectingResultProps) {
  const found = verdict(phase, paused);
  const report = phase.kind === 'probed' ? phase.report : null;
  const isTest = phase.kind === 'probed' && !phase.isSaved;
  const isEmpty = found === null && report === null;
  return (
    <div class={`connecting-result ${isEmpty ? 'is-empty' : ''}`}>
      <div class="connecting-verdict" role="status" aria-live="polite">
        {found && <Notice {...found} />}
        {report?.reached === false && <Notice icon="warning" tone="is-danger" text={t(`test_${report.problem}`)} />}
      </div>
      {isTest && report?.reached && <Report {...report} />}
    </div>
  );
}

function verdict(phase: Phase, paused: boolean): FindingProps | null {
  if (phase.kind === 'probing') return { icon: 'clock', tone: 'is-busy', text: t('testing') };
  if (phase.kind === 'failed') return { icon: 'warning', tone: 'is-danger', text: failureSentence(phase.code) };
  if (phase.kind !== 'probed') return null;
  const { report, isSaved } = phase;
  if (isSaved && paused) return { icon: 'clock', tone: '', text: joinSentences(t('saved'), t('pausedByUser')) };
  if (isSaved && !report.reached) return { icon: 'clock', tone: '', text: t('savedUnseen') };
  // Without a service document, the server cannot be distinguished from any other website.
  if (report.reached && report.service === null) {
    const unsure = t('testUnsure');
    return { icon: 'globe', tone: '', text: isSaved ? joinSentences(t('saved'), unsure) : unsure };
  }
  if (isSaved) return { icon: 'check', tone: 'is-good', text: t('connectedNow') };
  if (report.reached && (report.key.state === 'refused' || report.key.state === 'forbidden')) {
    const text = report.key.state === 'refused' ? t('keyRefused') : t('refusal_key_forbidden');
    return { icon: 'warning', tone: 'is-danger', text };
  }
  return report.reached ? { icon: 'check', tone: 'is-good', text: t('testGood') } : null;
}
