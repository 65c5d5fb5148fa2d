import { useLayoutEffect, useRef } from 'preact/hooks';
import { useAutofocus } from '../../components/focus.ts';
import { IconButton } from '../../components/icons.tsx';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { Stage, StatusTile, Title } from './card-layout.tsx';
import type { PopupStore } from './popup-store.ts';

/**
 * True if the device probably has a physical keyboard. On other devices, focusing the field would open an on-screen
 * keyboard, which would cover the message about why the page cannot be shortened.
 */
const hasKeyboard = () => matchMedia('(hover: hover)').matches;

/**
 * The field for entering another URL, in place of the page's title and button. If the page cannot be shortened, the
 * field also shows the reason.
 */
export function UrlField({ store }: { store: PopupStore }) {
  const { tab, draft, isDraftAsking, target, state, type, closeDraft, sendDraft } = store;
  const { text = '', problem = null, pastes = 0 } = draft.value ?? {};
  const blocked = state.value.kind === 'blocked' ? state.value.reason : null;
  const input = useAutofocus<HTMLInputElement>('', blocked !== null && hasKeyboard());
  const button = useRef<HTMLButtonElement>(null);
  const isOpened = draft.value !== null;
  // After a paste, the button gets the focus, so that Enter submits the URL. Otherwise, the field gets the focus.
  useLayoutEffect(() => {
    if (pastes > 0) button.current?.focus();
    else if (isOpened) input.current?.focus();
  }, [pastes, isOpened]);
  const submit = (event: Event) => {
    event.preventDefault();
    void sendDraft();
  };
  return (
    <Stage
      tile={<StatusTile icon="globe" />}
      head={
        blocked === null ? (
          <h2 class="stage-title">{t('otherUrl')}</h2>
        ) : (
          <>
            <Title target={target.value} />
            <p id="blocked" class="stage-message">
              {notShortenableMessage(blocked)}
            </p>
          </>
        )
      }
      end={blocked === null && <IconButton icon="close" name={t('close')} press={closeDraft} />}
      actions={
        <form class="url-field" noValidate onSubmit={submit}>
          <input
            ref={input}
            class="input"
            type="url"
            dir="ltr"
            inputMode="url"
            autocomplete="off"
            spellcheck={false}
            aria-label={t('longUrl')}
            placeholder={t('otherUrlPlaceholder')}
            value={text}
            aria-invalid={problem !== null}
            aria-describedby={blocked !== null && problem === null ? 'blocked' : 'url-problem'}
            onInput={(event) => type(event.currentTarget.value)}
          />
          <button
            ref={button}
            type="submit"
            class="button"
            disabled={text.trim() === ''}
            aria-busy={isDraftAsking.value}
            aria-disabled={isDraftAsking.value}
          >
            {t('shorten')}
          </button>
        </form>
      }
      note={
        <>
          <p id="url-problem" class="problem" role="alert">
            {problem && notShortenableMessage(problem)}
          </p>
          {tab.private && problem === null && <p>{t('privateListed')}</p>}
        </>
      }
    />
  );
}
