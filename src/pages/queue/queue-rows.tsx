import { useRef, useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Icon, IconButton, type IconName } from '../../components/icons.tsx';
import { RequestButtons } from '../../components/request-buttons.tsx';
import { useShowMore } from '../../components/show-more.tsx';
import { Address, ServerMessage, UntrustedText } from '../../components/url-and-title.tsx';
import { plural, t } from '../../format/i18n.ts';
import { estimateMessage, statusInList } from '../../format/status-text.ts';
import { isStuck, type ListedRequest } from '../../queue/status/request-status.ts';
import type { EstimatedSend } from '../../queue/status/send-time-estimate.ts';
import type { Row } from './queue-model.ts';

export interface RowActions {
  now: number;
  /** Message that the card shows for all its requests. The rows do not repeat this message. */
  common: string;
  /** Estimated times at which the queue's requests will be sent. Empty if the times are unknown. */
  sends: EstimatedSend[];
  cancel: (ids: string[]) => void;
  retry: (id: string) => void;
  openGroup: (groupId: string) => void;
}

/** The rows of a queue. Before a whole list is canceled, a dialog asks the user to confirm. */
export function QueueRows({ rows, ...actions }: RowActions & { rows: Row[] }) {
  const [canceling, setCanceling] = useState<string[]>([]);
  const list = useRef<HTMLUListElement>(null);
  const { shown, more } = useShowMore(rows, list, '.row');
  return (
    <>
      <ul ref={list} class="rows">
        {shown.map((row) => (
          <li key={row.key} class="row" data-key={row.key}>
            {row.kind === 'list' ? (
              <ListRow row={row} {...actions} cancel={setCanceling} />
            ) : (
              <RequestRow row={row} {...actions} />
            )}
          </li>
        ))}
      </ul>
      {more}
      {canceling.length > 0 && (
        <ConfirmDialog
          title={t('groupCancelTitle')}
          text={t('groupCancelText')}
          yes={plural('groupCancel', canceling.length)}
          confirm={() => actions.cancel(canceling)}
          close={() => setCanceling([])}
        />
      )}
    </>
  );
}

type ListRowProps = RowActions & { row: Row & { kind: 'list' } };

/** Row for a bulk list. A separate page shows the URLs of the list. */
function ListRow({ row, now, common, sends, cancel, openGroup }: ListRowProps) {
  const ids = row.requests.map(({ request }) => request.id);
  const name = plural('groupTitle', ids.length);
  const estimate = estimateMessage(sends, new Set(ids), now);
  return (
    <>
      <Icon name="bulk" class="row-icon" />
      <div class="row-text">{name}</div>
      <span class="row-note">{estimate !== common && estimate}</span>
      <div class="row-buttons">
        <button type="button" class="button" onClick={() => openGroup(row.groupId)}>
          {t('groupShow')}
        </button>
        <IconButton icon="trash" name={t('cancelNamed', name)} press={() => cancel(ids)} />
      </div>
    </>
  );
}

type RequestRowProps = RowActions & { row: Row & { kind: 'request' } };

/** A request, its status and its buttons. A request that is being sent cannot be canceled. */
function RequestRow({ row: { listed }, now, common, cancel, retry }: RequestRowProps) {
  const { request, status } = listed;
  const { title, url, problem } = request;
  // False if the request only waits together with the rest of the queue. A `delayed` request waits separately.
  const hasOwnReason = status.kind !== 'waiting' || status.reason === 'delayed';
  const note = hasOwnReason ? statusInList(status, problem, now) : '';
  return (
    <>
      <Icon name={iconOf(listed)} class={`row-icon is-${status.kind}`} />
      <div class="row-text">
        {title ? <UntrustedText class="line" text={title} hover={url} /> : <Address url={url} />}
        {title && isStuck(request) && <Address url={url} />}
        {isStuck(request) && problem?.message && (
          <span class="line">
            <ServerMessage text={problem.message} />
          </span>
        )}
      </div>
      <span class={`row-note is-${status.kind}`}>{note !== common && note}</span>
      <div class="row-buttons">
        <RequestButtons listed={listed} retry={retry} cancel={(id) => cancel([id])} />
      </div>
    </>
  );
}

function iconOf({ request, status }: ListedRequest): IconName {
  if (isStuck(request)) return 'warning';
  return status.kind === 'sending' ? 'up' : 'clock';
}
