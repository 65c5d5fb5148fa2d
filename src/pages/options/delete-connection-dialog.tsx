import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { formatNumber, t } from '../../format/i18n.ts';
import type { WaitingChoice } from './use-options-actions.ts';

interface ForgetDialogProps {
  /** Number of pending requests. */
  waiting: number;
  /** True if the user paused the queue. If another queue takes over the requests, that queue is paused too. */
  onHold: boolean;
  others: { id: string; name: string }[];
  confirm: (waiting: WaitingChoice) => void;
  close: () => void;
}

/**
 * Dialog that asks the user to confirm the removal of a connection, and to choose what happens to its pending
 * requests.
 */
export function DeleteConnectionDialog({ waiting, onHold, others, confirm, close }: ForgetDialogProps) {
  const [choice, setChoice] = useState(others[0]?.id ?? 'keep');
  const chosen = (): WaitingChoice => (choice === 'keep' || choice === 'drop' ? choice : { moveTo: choice });
  const choices = [
    ...others.map(({ id, name }) => ({ value: id, text: t('forgetMove', name) })),
    ...(others.length === 0 ? [{ value: 'keep', text: t('forgetKeep') }] : []),
    { value: 'drop', text: t('forgetDrop') },
  ];
  return (
    <ConfirmDialog
      title={t('forgetTitle')}
      text={t('forgetText')}
      yes={t('forgetConnection')}
      confirm={() => confirm(waiting > 0 ? chosen() : 'keep')}
      close={close}
    >
      {waiting > 0 && (
        <fieldset class="options-list">
          <legend>{t('forgetWaiting', formatNumber(waiting))}</legend>
          {choices.map(({ value, text }) => (
            <label key={value}>
              <input
                type="radio"
                name="waiting"
                value={value}
                checked={choice === value}
                onChange={() => setChoice(value)}
              />
              <span>
                <bdi>{text}</bdi>
              </span>
            </label>
          ))}
          {onHold && choice !== 'drop' && choice !== 'keep' && <p class="help">{t('forgetOnHold')}</p>}
        </fieldset>
      )}
    </ConfirmDialog>
  );
}
