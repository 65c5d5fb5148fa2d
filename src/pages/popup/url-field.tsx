import { useLayoutEffect } from 'preact/hooks';
import { useAutofocus } from '../../components/focus.ts';
import { IconButton } from '../../components/icons.tsx';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { Card, Title } from './page-card.tsx';
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
  const { tab, draft, asking, isSentPrivately, target, state, editUrl, sendDraft } = store;
  const { text = '', problem = null, insteadOf } = draft.value ?? {};
  const blocked = state.value.kind === 'blocked' ? state.value.reason : null;
  const isAsking = asking.value !== null;
  const input = useAutofocus<HTMLInputElement>('', blocked !== null && hasKeyboard());
  const isOpened = draft.value !== null;
  useLayoutEffect(() => {
    if (isOpened) input.current?.focus();
  }, [isOpened]);
  const close = () => {
    draft.value = null;
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void sendDraft();
  };
  return (
    <Card
      store={store}
      tile={{ icon: 'globe' }}
      head={
        blocked === null ? (
          <h2 class="stage-title">{t('otherUrl')}</h2>
        ) : (
          <>
            <h2 class="stage-title">
              <Title target={target.value} />
            </h2>
            <p id="blocked">{notShortenableMessage(blocked)}</p>
          </>
        )
      }
      end={blocked === null && <IconButton icon="close" name={t('close')} press={close} />}
      note={
        <>
          <p id="url-problem" class="problem" role="alert">
            {problem && notShortenableMessage(problem)}
          </p>
          {tab.private && problem === null && <p>{t('privateListed')}</p>}
        </>
      }
    >
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
          readOnly={isAsking}
          aria-invalid={problem !== null}
          aria-describedby={blocked !== null && problem === null ? 'blocked' : 'url-problem'}
          onInput={(event) => editUrl(event.currentTarget.value, insteadOf)}
        />
        <button
          type="submit"
          class="button"
          disabled={text.trim() === ''}
          aria-busy={isAsking}
          aria-disabled={isAsking}
        >
          {t(isSentPrivately.value ? 'sending' : 'shorten')}
        </button>
      </form>
    </Card>
  );
}
