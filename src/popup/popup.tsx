import { useState } from 'preact/hooks';
import { quotaLeft } from '../queue/standing.ts';
import type { Time } from '../queue/types.ts';
import type { View } from '../storage/view.ts';
import { Announcer } from '../ui/announcer.tsx';
import type { Clipboard } from '../ui/copy.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Icon, Mark } from '../ui/icons.tsx';
import { Meter } from '../ui/meter.tsx';
import { ProblemToast } from '../ui/problem-toast.tsx';
import { QrDialog } from '../ui/qr-dialog.tsx';
import { t } from '../ui/strings.ts';
import type { Problem } from '../ui/use-problem.ts';
import type { Actions } from './actions.ts';
import { announcement } from './announcement.ts';
import { HaltNotice } from './halt-notice.tsx';
import { LatestLinks } from './latest-links.tsx';
import { OtherUrl } from './other-url.tsx';
import { QueueList } from './queue-list.tsx';
import { stageOf, subjectOf, type Tab, type Wish } from './stage.ts';
import { StageCard } from './stage-card.tsx';
import { SubjectCard } from './subject-card.tsx';

export interface PopupProps {
  view: View;
  tab: Tab;
  wish: Wish | null;
  time: Time;
  online: boolean;
  autoCopy: boolean;
  problem: Problem | null;
  clipboard: Clipboard;
  actions: Actions;
}

export function Popup({ view, tab, wish, time, online, autoCopy, problem, clipboard, actions }: PopupProps) {
  const [qr, setQr] = useState<string | null>(null);
  const stage = stageOf(view, tab, wish, time, online);
  const quota = quotaLeft(view, time);
  // What is on the stage is not listed again: so no list grows, and nothing moves, when a result arrives.
  const queue = view.requests.filter(({ id }) => stage.kind !== 'pending' || id !== stage.request.id);
  const links = view.links.filter(({ id }) => stage.kind !== 'done' || id !== stage.link.id);

  return (
    <main class="popup">
      <header class="bar">
        <Mark />
        <h1 class="bar-name">{t('extensionName')}</h1>
        {tab.private && (
          <span class="chip">
            <Icon name="private" />
            {t('privateNote')}
          </span>
        )}
        <IconButton icon="settings" name={t('options')} class="bar-end" press={actions.openOptions} />
      </header>

      {view.connection && view.queue.halt && (
        <HaltNotice halt={view.queue.halt} baseUrl={view.connection.baseUrl} actions={actions} />
      )}
      <section class="focus" aria-label={t('subject')}>
        <SubjectCard subject={subjectOf(tab, wish)} leave={actions.leaveWish} />
        <StageCard
          stage={stage}
          limit={quota?.limit ?? 0}
          now={time.now}
          hint={view.queue.halt ? 'shortenHintHalted' : autoCopy ? 'shortenHint' : 'shortenHintNoCopy'}
          clipboard={clipboard}
          showQr={setQr}
          actions={actions}
        />
      </section>
      {view.connection && (
        <OtherUrl shortBaseUrl={view.connection.service?.shortBaseUrl} shorten={(url) => actions.shorten(url, '')} />
      )}
      {queue.length > 0 && <QueueList requests={queue} view={view} time={time} online={online} actions={actions} />}
      {links.length > 0 && (
        <LatestLinks links={links} clipboard={clipboard} showAll={actions.openLinks} open={actions.open} />
      )}
      {quota && (
        <footer class="foot">
          <Meter quota={quota} now={time.now} />
        </footer>
      )}
      <div class="toasts">{problem && <ProblemToast problem={problem} dismiss={actions.dismiss} />}</div>
      <Announcer text={problem?.text ?? announcement(stage, clipboard)} />
      {qr && <QrDialog shortUrl={qr} close={() => setQr(null)} />}
    </main>
  );
}
