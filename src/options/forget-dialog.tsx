import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../ui/strings.ts';
import type { WaitingChoice } from './handlers.ts';

interface ForgetDialogProps {
  /** Requests that have not ended. */
  waiting: number;
  others: { id: string; name: string }[];
  confirm: (waiting: WaitingChoice) => void;
  close: () => void;
}

/** Asks before a connection is forgotten, and what becomes of what waits on it. The focus starts on the way out. */
export function ForgetDialog({ waiting, others, confirm, close }: ForgetDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const no = useRef<HTMLButtonElement>(null);
  const [choice, setChoice] = useState(others[0]?.id ?? 'keep');
  useEffect(() => {
    dialog.current?.showModal();
    no.current?.focus();
  }, []);

  const chosen = (): WaitingChoice => (choice === 'keep' || choice === 'drop' ? choice : { moveTo: choice });
  const choices = [
    ...others.map(({ id, name }) => ({ value: id, text: t('forgetMove', name) })),
    ...(others.length === 0 ? [{ value: 'keep', text: t('forgetKeep') }] : []),
    { value: 'drop', text: t('forgetDrop') },
  ];
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby="forget-title" aria-describedby="forget-text" onClose={close}>
      <h2 id="forget-title">{t('forgetTitle')}</h2>
      <p id="forget-text">{t('forgetText')}</p>
      {waiting > 0 && (
        <fieldset class="options-list">
          <legend>{t('forgetWaiting', waiting.toLocaleString())}</legend>
          {choices.map(({ value, text }) => (
            <label key={value}>
              <input
                type="radio"
                name="waiting"
                value={value}
                checked={choice === value}
                onChange={() => setChoice(value)}
              />
              <bdi>{text}</bdi>
            </label>
          ))}
        </fieldset>
      )}
      <div class="actions">
        <button ref={no} type="button" class="button" onClick={() => dialog.current?.close()}>
          {t('cancel')}
        </button>
        <button
          type="button"
          class="button is-danger"
          onClick={() => {
            confirm(waiting > 0 ? chosen() : 'keep');
            dialog.current?.close();
          }}
        >
          {t('forgetConnection')}
        </button>
      </div>
    </dialog>
  );
}
