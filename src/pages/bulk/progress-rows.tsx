import { useRef } from 'preact/hooks';
import { type Clipboard, CopyIcon } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icons.tsx';
import { RequestButtons } from '../../components/request-buttons.tsx';
import { useShowMore } from '../../components/show-more.tsx';
import { Address, ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
import { statusInList } from '../../format/status-text.ts';
import { isStuck } from '../../queue/status/request-status.ts';
import type { Member } from './progress-model.ts';
import type { BulkActions } from './use-bulk-actions.ts';

interface ProgressRowsProps {
  members: Member[];
  now: number;
  clipboard: Clipboard;
  handlers: Pick<BulkActions, 'cancel' | 'retry'>;
}

/** The URLs of a group, each with its short URL or its status. */
export function ProgressRows({ members, ...props }: ProgressRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const { shown, more } = useShowMore(members, list, '.row');
  return (
    <>
      <ul ref={list} class="rows">
        {shown.map((member) => (
          <li key={member.id} class="row">
            <MemberRow member={member} {...props} />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

function MemberRow({ member, now, clipboard, handlers }: Omit<ProgressRowsProps, 'members'> & { member: Member }) {
  if ('link' in member) {
    const { shortUrl, title, url } = member.link;
    return (
      <>
        <Icon name="check" class="row-icon is-done" />
        <span class="row-text">
          {title ? <UntrustedText class="line" text={title} hover={url} /> : <Address url={url} />}
        </span>
        <span class="row-note">
          <ShortAddress url={shortUrl} />
        </span>
        <span class="row-buttons">
          <CopyIcon text={shortUrl} clipboard={clipboard} />
        </span>
      </>
    );
  }
  const { request, status } = member.listed;
  const isDelayed = 'reason' in status && status.reason === 'delayed';
  // Most waiting requests need no note, because the text above the list already gives the reason for the wait.
  const hasNote = isStuck(request) || isDelayed || status.kind === 'sending';
  return (
    <>
      <Icon
        name={isStuck(request) ? 'warning' : status.kind === 'sending' ? 'up' : 'clock'}
        class={`row-icon is-${status.kind}`}
      />
      <span class={`row-text ${status.kind === 'waiting' ? 'is-soft' : ''}`}>
        {request.title && <UntrustedText class="line" text={request.title} hover={request.url} />}
        {(!request.title || isStuck(request)) && <Address url={request.url} />}
      </span>
      {hasNote && <span class={`row-note is-${status.kind}`}>{statusInList(status, request.problem, now)}</span>}
      <span class="row-buttons">
        <RequestButtons listed={member.listed} retry={handlers.retry} cancel={(id) => handlers.cancel([id])} />
      </span>
    </>
  );
}
