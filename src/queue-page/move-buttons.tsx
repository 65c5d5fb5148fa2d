import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/strings.ts';
import type { Move } from './blocks.ts';
import type { RowActions } from './queue-rows.tsx';
import type { Moves } from './rows.ts';

interface MoveButtonsProps {
  rowKey: string;
  /** What is moved, for its buttons' names. */
  name: string;
  moves: Moves;
  move: RowActions['move'];
}

/** To the front of the line, one place ahead, one place back. */
export function MoveButtons({ rowKey, name, moves, move }: MoveButtonsProps) {
  const button = (direction: keyof Moves, text: string, to: Move | null) => (
    <button
      type="button"
      class="icon-button"
      data-direction={direction}
      aria-label={text}
      title={text}
      disabled={to === null}
      onClick={() => to && move(rowKey, direction, to)}
    >
      <Icon name={direction} />
    </button>
  );
  return (
    <>
      {button('first', t('moveFirst', name), moves.first)}
      {button('earlier', t('moveEarlier', name), moves.earlier)}
      {button('later', t('moveLater', name), moves.later)}
    </>
  );
}
