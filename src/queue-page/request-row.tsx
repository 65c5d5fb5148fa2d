import { shownText } from '../platform/text.ts';
import { Address } from '../ui/address.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import { RequestButtons } from '../ui/request-buttons.tsx';
import { statusInList } from '../ui/sentences.ts';
import { MoveButtons } from './move-buttons.tsx';
import type { RowActions } from './queue-rows.tsx';
import type { Row } from './rows.ts';

type RequestRowProps = RowActions & { row: Row & { kind: 'request' } };

/** A request: what it waits for, and what can be done about it. What is being sent cannot be called back. */
export function RequestRow({ row, now, move, cancel, retry }: RequestRowProps) {
  const { listed, moves, key } = row;
  const { request, status } = listed;
  const { title, url, problem } = request;
  const name = shownText(title || url);
  const isOver = status.kind === 'failed' || status.kind === 'undecided';
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
        <RequestButtons listed={listed} retry={retry} cancel={(id) => cancel([id], false)} />
      </div>
    </>
  );
}
