import { refusalSentence } from '../ui/sentences.ts';
import { t } from '../ui/strings.ts';
import type { Failure } from './actions.ts';
import { Finding, Report } from './report.tsx';
import type { Phase } from './use-connecting.ts';

/** What came of "Connect" or "Test connection". */
export function Outcome({ phase, now }: { phase: Phase; now: number }) {
  return (
    <div class="outcome" role="status" aria-live="polite">
      {phase.kind === 'looking' && <Finding icon="clock" tone="is-busy" text={t('testing')} />}
      {phase.kind === 'forgotten' && <Finding icon="check" tone="" text={t('forgotten')} />}
      {phase.kind === 'failed' && <Finding icon="warning" tone="is-danger" text={failure(phase.code)} />}
      {phase.kind === 'looked' && (
        <>
          {verdict(phase)}
          <Report report={phase.report} now={now} />
        </>
      )}
    </div>
  );
}

function verdict({ report, saved }: Phase & { kind: 'looked' }) {
  if (saved && !report.reached) return <Finding icon="clock" tone="" text={t('savedUnseen')} />;
  // A service with the specification alone looks from here like any web site.
  if (report.reached && report.service === null) {
    const unsure = t('testUnsure');
    return <Finding icon="globe" tone="" text={saved ? `${t('saved')} ${unsure}` : unsure} />;
  }
  if (saved) return <Finding icon="check" tone="is-good" text={t('connectedNow')} />;
  if (report.reached && report.key?.state === 'refused') {
    return <Finding icon="warning" tone="is-danger" text={t('keyRefused')} />;
  }
  return report.reached ? <Finding icon="check" tone="is-good" text={t('testGood')} /> : null;
}

function failure(code: Failure): string {
  if (code === 'denied') return t('permissionDenied');
  return code === 'lost' ? t('noReply') : refusalSentence(code);
}
