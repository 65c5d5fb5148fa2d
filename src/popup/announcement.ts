import { promisedUrl } from '../queue/mint.ts';
import type { Clipboard } from '../ui/copy.tsx';
import { refusalSentence, statusAnnounced } from '../ui/sentences.ts';
import { sentences, t } from '../ui/strings.ts';
import type { CurrentTarget } from './current-target.ts';
import type { PopupState } from './popup-state.ts';

/** What a screen reader says when the state changes. No running times in it: it would never stop talking. */
export function announcement(state: PopupState, target: CurrentTarget, clipboard: Clipboard): string {
  const news = stateAnnouncement(state, clipboard);
  return target.isOther && target.userInfoRemoved ? sentences(t('userInfoRemovedSaid'), news) : news;
}

function stateAnnouncement(state: PopupState, clipboard: Clipboard): string {
  const copied = clipboard.copied !== null ? t('copiedNamed', clipboard.copied) : '';
  switch (state.kind) {
    case 'refused':
      return refusalSentence(state.code);
    case 'lost':
      return t('noReply');
    case 'done':
      return state.fresh && clipboard.copied !== state.link.shortUrl ? t('ready', state.link.shortUrl) : copied;
    case 'pending':
      return pendingAnnouncement(state);
    default:
      return copied;
  }
}

function pendingAnnouncement({ request, status, connection }: PopupState & { kind: 'pending' }): string {
  const hasUrl = status.kind === 'waiting' && promisedUrl(request, connection) !== null;
  return sentences(hasUrl ? t('worksOnceSent') : '', statusAnnounced(status, request.problem));
}
