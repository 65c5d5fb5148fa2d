import type { Clipboard } from '../ui/copy.tsx';
import { problemSentence, refusalSentence } from '../ui/sentences.ts';
import { t } from '../ui/strings.ts';
import type { Stage } from './stage.ts';

/** What a screen reader says when the stage changes. No running times in it: it would never stop talking. */
export function announcement(stage: Stage, clipboard: Clipboard): string {
  const copied = clipboard.copied !== null ? t('copiedNamed', clipboard.copied) : '';
  switch (stage.kind) {
    case 'asking':
      return t('sending');
    case 'refused':
      return refusalSentence(stage.code);
    case 'lost':
      return t('noReply');
    case 'done':
      return stage.fresh && clipboard.copied !== stage.link.shortUrl ? t('ready', stage.link.shortUrl) : copied;
    case 'pending':
      return pendingAnnouncement(stage);
    default:
      return copied;
  }
}

function pendingAnnouncement({ request, standing }: Stage & { kind: 'pending' }): string {
  switch (standing.kind) {
    case 'sending':
      return t('sending');
    case 'undecided':
      return t('undecided');
    case 'failed':
      return request.problem ? problemSentence(request.problem) : t('failed');
    default:
      return t(`wait_${standing.reason}`);
  }
}
