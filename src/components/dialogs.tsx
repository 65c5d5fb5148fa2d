import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../format/i18n.ts';

/** Opens a dialog when its component appears. Returns the reference to set on the dialog element. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return dialog;
}

interface ConfirmProps {
  title: string;
  text: string;
  /** Label of the confirm button. */
  yes: string;
  confirm: () => void;
  close: () => void;
}

/** Dialog that asks the user to confirm an action. When the dialog opens, the Cancel button gets the focus. */
export function ConfirmDialog({ title, text, yes, confirm, close }: ConfirmProps) {
  const dialog = useModal();
  const no = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => no.current?.focus(), []);
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" aria-describedby="confirm-text" onClose={close}>
      <h2 id="confirm-title">{title}</h2>
      <p id="confirm-text">{text}</p>
      <div class="actions">
        <button ref={no} type="button" class="button" onClick={() => dialog.current?.close()}>
          {t('cancel')}
        </button>
        <button
          type="button"
          class="button is-danger"
          onClick={() => {
            confirm();
            dialog.current?.close();
          }}
        >
          {yes}
        </button>
      </div>
    </dialog>
  );
}
