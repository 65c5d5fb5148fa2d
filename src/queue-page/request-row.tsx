import { shownText } from '../platform/text.ts';
import { Address } from '../ui/address.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { statusInList } from '../ui/sentences.ts';
import { t } from '../ui/strings.ts';
import { MoveButtons } from './move-buttons.tsx';
import type { RowActions } from './queue-rows.tsx';
import type { Row } from './rows.ts';

type RequestRowProps = RowActions & { row: Row & { kind: 'request' } };

/** A request: what it waits for, and what can be done about it. What is being sent cannot be called back. */
export function RequestRow({ row, now, move, cancel, retry }: RequestRowProps) {
  const { listed, moves, key } = row;
  const { request, status, connection } = listed;
  const { title, url, problem } = request;
  const name = shownText(title || url);
  const isOver = status.kind === 'failed' || status.kind === 'undecided';
  // A request that is held back by itself goes by itself; one that waits with its queue goes when that does.
  const isParked = 'reason' in status && status.reason === 'parked';
  const againKey = status.kind === 'undecided' ? 'sendAgainNamed' : 'tryAgainNamed';
  return (
    <>
      <div class="row-text">
        {title && <ForeignText class="line" text={title} hover={url} />}
        <Address url={url} />
        <span class={`row-why is-${status.kind}`}>{statusInList(status, problem, now)}</span>
        {isOver && problem?.message && <ForeignText class="line row-words" text={problem.message} />}
      </div>
      <div class="row-buttons">
        {moves && <MoveButtons rowKey={key} name={name} moves={moves} move={move} />}
        {connection && (isOver || isParked) && (
          <IconButton icon="retry" name={t(againKey, name)} press={() => retry(request.id)} />
        )}
        {status.kind !== 'sending' && (
          <IconButton
            icon="close"
            name={t(isOver ? 'dismissNamed' : 'cancelNamed', name)}
            press={() => cancel([request.id], false)}
          />
        )}
      </div>
    </>
  );
}
