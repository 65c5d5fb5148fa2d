import type { Signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../format/i18n.ts';
import type { FlashMessage } from './copier.ts';
import { Icon, IconButton } from './icons.tsx';

/**
 * Error message over the page, if there is one. It stays until the user dismisses it or an action succeeds. Dismissing
 * the message moves the focus back to the previous element.
 */
export function ErrorToast({ flash }: { flash: Signal<FlashMessage | null> }) {
  const dismiss = () => {
    flash.value = null;
  };
  return flash.value && <Message flash={flash.value} dismiss={dismiss} />;
}

function Message({ flash, dismiss }: { flash: FlashMessage; dismiss: () => void }) {
  const before = useRef<EventTarget | null>(null);
  const close = () => {
    if (before.current instanceof HTMLElement) before.current.focus();
    dismiss();
  };
  return (
    <div
      class="toast is-danger"
      onFocusIn={({ relatedTarget }) => {
        before.current = relatedTarget;
      }}
    >
      <Icon name="warning" />
      <p>
        {flash.text}{' '}
        {flash.url && (
          <bdi dir="ltr" class="whole">
            {flash.url}
          </bdi>
        )}
      </p>
      <IconButton icon="close" name={t('dismiss')} press={close} />
    </div>
  );
}

interface ToastsProps {
  flash: Signal<FlashMessage | null>;
  /** Bar at the bottom of the page. */
  children?: ComponentChild;
}

/** The place of a page's bar and messages, with the error message if there is one. */
export function Toasts({ flash, children }: ToastsProps) {
  return (
    <div class="toasts">
      <ErrorToast flash={flash} />
      {children}
    </div>
  );
}
