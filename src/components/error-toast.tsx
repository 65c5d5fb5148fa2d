import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../format/i18n.ts';
import { Icon, IconButton } from './icons.tsx';
import type { FlashMessage } from './page-store.ts';

interface ToastsProps {
  flash: Signal<FlashMessage | null>;
  /** Bars and other messages at the bottom of the page. */
  children?: ComponentChildren;
}

/**
 * The place of a page's bar and error message. An error message stays until the user dismisses it or an action
 * succeeds. Dismissing the message moves the focus back to the previous element.
 */
export function Toasts({ flash, children }: ToastsProps) {
  const before = useRef<EventTarget | null>(null);
  const message = flash.value;
  const dismiss = () => {
    if (before.current instanceof HTMLElement) before.current.focus();
    flash.value = null;
  };
  return (
    <div class="toasts">
      {message && (
        <div
          class="toast is-danger"
          onFocusIn={({ relatedTarget }) => {
            before.current = relatedTarget;
          }}
        >
          <Icon name="warning" />
          <p>
            {message.text}{' '}
            {message.url && (
              <bdi dir="ltr" class="whole">
                {message.url.replace(/[^/]*$/, '')}
                <wbr />
                {message.url.split('/').pop()}
              </bdi>
            )}
          </p>
          <IconButton icon="close" name={t('dismiss')} press={dismiss} />
        </div>
      )}
      {children}
    </div>
  );
}
