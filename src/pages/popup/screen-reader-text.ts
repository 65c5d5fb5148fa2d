import { readableUrl } from '@terse/contract/readable-host';
import type { Clipboard } from '../../components/copy-button.tsx';
import { joinSentences, t } from '../../format/i18n.ts';
import { statusAnnounced } from '../../format/status-text.ts';
import { promisedShortUrl } from '../../queue/short-code-generator.ts';
import { failureMessage, type PopupState } from './popup-state.ts';
import type { CurrentTarget } from './read-current-tab.ts';

/**
 * Returns the text that a screen reader announces when the state changes. The text contains no countdowns, because
 * the screen reader would read every change.
 */
export function screenReaderText(state: PopupState, target: CurrentTarget, clipboard: Clipboard): string {
  const news = stateAnnouncement(state, clipboard);
  return target.isOther && target.userInfoRemoved ? joinSentences(t('userInfoRemovedSaid'), news) : news;
}

function stateAnnouncement(state: PopupState, clipboard: Clipboard): string {
  const copied = clipboard.copied !== null ? t('copiedNamed', readableUrl(clipboard.copied)) : '';
  switch (state.kind) {
    case 'done':
      return state.fresh && clipboard.copied !== state.link.shortUrl
        ? t('ready', readableUrl(state.link.shortUrl))
        : copied;
    case 'pending':
      return pendingAnnouncement(state);
    default:
      return failureMessage(state) ?? copied;
  }
}

function pendingAnnouncement({ request, status, connection }: PopupState & { kind: 'pending' }): string {
  const hasUrl = status.kind === 'waiting' && promisedShortUrl(request, connection) !== null;
  return joinSentences(hasUrl ? t('worksOnceSent') : '', statusAnnounced(status, request.problem));
}
