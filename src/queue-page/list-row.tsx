import { IconButton } from '../ui/icon-button.tsx';
import { plural, t } from '../ui/strings.ts';
import { MoveButtons } from './move-buttons.tsx';
import type { RowActions } from './queue-rows.tsx';
import type { Row } from './rows.ts';

type ListRowProps = RowActions & { row: Row & { kind: 'list' } };

/** A list of addresses that were ordered together: opened to see them, moved and given up as a whole. */
export function ListRow({ row, move, cancel, toggle, openGroup }: ListRowProps) {
  const { block, isOpen, moves, key } = row;
  const name = plural('groupTitle', block.requests.length);
  const groupId = block.groupId ?? '';
  return (
    <>
      <div class="row-text is-list">
        <button type="button" class="text-button" aria-expanded={isOpen} onClick={() => toggle(groupId)}>
          {name}
        </button>
        <button type="button" class="text-button is-soft" onClick={() => openGroup(groupId)}>
          {t('groupShow')}
        </button>
      </div>
      <div class="row-buttons">
        <MoveButtons rowKey={key} name={name} moves={moves} move={move} />
        <IconButton
          icon="close"
          name={t('cancelNamed', name)}
          press={() =>
            cancel(
              block.requests.map(({ request }) => request.id),
              true,
            )
          }
        />
      </div>
    </>
  );
}
