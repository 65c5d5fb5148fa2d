import { Finding } from '../ui/finding.tsx';
import { refusalSentence } from '../ui/sentences.ts';
import { sentences, t } from '../ui/strings.ts';
import type { Failure } from './handlers.ts';
import { Report } from './report.tsx';
import type { Phase } from './use-connecting.ts';

interface ConnectingResultProps {
  phase: Phase;
  now: number;
  /** The person has paused the queue: nothing is sent, however well its service was found. */
  onHold: boolean;
  /** Turns notifications on; null where they are on. */
  offerNotifications: (() => void) | null;
}

/** What came of "Connect" or "Test connection". */
export function ConnectingResult({ phase, now, onHold, offerNotifications }: ConnectingResultProps) {
  return (
    <div class="connecting-result" role="status" aria-live="polite">
      {phase.kind === 'probing' && <Finding icon="clock" tone="is-busy" text={t('testing')} />}
      {phase.kind === 'failed' && <Finding icon="warning" tone="is-danger" text={failureSentence(phase.code)} />}
      {phase.kind === 'probed' && (
        <>
          {verdict(phase, onHold)}
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
  );
}

function verdict({ report, saved }: Phase & { kind: 'probed' }, onHold: boolean) {
  if (saved && onHold) return <Finding icon="clock" tone="" text={sentences(t('saved'), t('onHold'))} />;
  if (saved && !report.reached) return <Finding icon="clock" tone="" text={t('savedUnseen')} />;
  // A service with the specification alone looks from here like any web site.
  if (report.reached && report.service === null) {
    const unsure = t('testUnsure');
    return <Finding icon="globe" tone="" text={saved ? sentences(t('saved'), unsure) : unsure} />;
  }
  if (saved) return <Finding icon="check" tone="is-good" text={t('connectedNow')} />;
  if (report.reached && report.key.state === 'refused') {
    return <Finding icon="warning" tone="is-danger" text={t('keyRefused')} />;
  }
  return report.reached ? <Finding icon="check" tone="is-good" text={t('testGood')} /> : null;
}

/** Why something could not be done. */
export function failureSentence(code: Failure): string {
  if (code === 'denied') return t('permissionDenied');
  return code === 'lost' ? t('noReply') : refusalSentence(code);
}
