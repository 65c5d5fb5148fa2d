import { Announcer } from '../ui/announcer.tsx';
import { Finding, type FindingProps } from '../ui/finding.tsx';
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

/** Result of "Connect" or "Test connection". The announced text is the verdict alone, because the report has running times. */
export function ConnectingResult({ phase, now, onHold, offerNotifications }: ConnectingResultProps) {
  const found = verdict(phase, onHold);
  const problem = phase.kind === 'probed' && !phase.report.reached ? t(`test_${phase.report.problem}`) : '';
  return (
    <>
      <div class="connecting-result">
        {found && <Finding {...found} />}
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
      <Announcer text={sentences(found?.text ?? '', problem)} />
    </>
  );
}

function verdict(phase: Phase, onHold: boolean): FindingProps | null {
  if (phase.kind === 'probing') return { icon: 'clock', tone: 'is-busy', text: t('testing') };
  if (phase.kind === 'failed') return { icon: 'warning', tone: 'is-danger', text: failureSentence(phase.code) };
  if (phase.kind !== 'probed') return null;
  const { report, saved } = phase;
  if (saved && onHold) return { icon: 'clock', tone: '', text: sentences(t('saved'), t('onHold')) };
  if (saved && !report.reached) return { icon: 'clock', tone: '', text: t('savedUnseen') };
  // A service with the specification alone looks from here like any web site.
  if (report.reached && report.service === null) {
    const unsure = t('testUnsure');
    return { icon: 'globe', tone: '', text: saved ? sentences(t('saved'), unsure) : unsure };
  }
  if (saved) return { icon: 'check', tone: 'is-good', text: t('connectedNow') };
  if (report.reached && report.key.state === 'refused') {
    return { icon: 'warning', tone: 'is-danger', text: t('keyRefused') };
  }
  return report.reached ? { icon: 'check', tone: 'is-good', text: t('testGood') } : null;
}

/** Why something could not be done. */
export function failureSentence(code: Failure): string {
  if (code === 'denied') return t('permissionDenied');
  return code === 'lost' ? t('noReply') : refusalSentence(code);
}
