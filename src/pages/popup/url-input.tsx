import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { busyButtonProps } from '../../components/busy-button.ts';
import { useAutofocus } from '../../components/hooks/use-autofocus.ts';
import { useDrop } from '../../components/hooks/use-drop-and-paste.ts';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { MAX_TEXT_LENGTH } from '../../messages/open-page.ts';
import { findUrlsInText } from '../../urls/find-urls-in-text.ts';
import { type IsOwnShortUrl, type NotShortenable, typedTarget } from '../../urls/shortenable-url.ts';
import type { Shorten } from './use-popup-actions.ts';

interface OtherUrlProps {
  isOwn: IsOwnShortUrl;
  /** True if the page itself cannot be shortened, so that this field is the only option. */
  isOnlyWay: boolean;
  /** Resolves to true if the command was accepted. */
  shorten: (what: Shorten) => Promise<boolean>;
  /** Opens the bulk page with a text that contains several URLs. */
  openList: (text: string) => void;
}

/** An on-screen keyboard would cover the message about why the page cannot be shortened. */
const hasKeyboard = () => matchMedia('(hover: hover)').matches;

/**
 * Field for another URL, also for one that is dropped on the popup or pasted outside a field. A dropped file opens the
 * bulk page, which accepts files.
 */
export function UrlInput({ isOwn, isOnlyWay, shorten, openList }: OtherUrlProps) {
  const [text, setText] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [blocked, setBlocked] = useState<NotShortenable | null>(null);
  const focus = useAutofocus<HTMLInputElement>('', isOnlyWay && hasKeyboard());

  const [offers, setOffers] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  // The button gets the focus before the first paint, so that Enter works immediately.
  useLayoutEffect(() => {
    if (offers > 0) button.current?.focus();
  }, [offers]);

  const offer = (transfer: DataTransfer) => {
    const given = (transfer.getData('text/uri-list') || transfer.getData('text/plain')).trim();
    // Millions of lines would block the popup. The bulk page shows that such a text is too long.
    const isTooLong = given.length > MAX_TEXT_LENGTH;
    const [url, ...others] = isTooLong ? [] : findUrlsInText(given);
    if (isTooLong || others.length > 0) openList(given);
    else if (given !== '') {
      const offered = url ?? given;
      const target = typedTarget(offered, isOwn);
      setText(offered);
      setBlocked('blocked' in target ? target.blocked : null);
      setOffers((count) => count + 1);
    } else if (transfer.files.length > 0) openList('');
    return given !== '';
  };
  const isOver = useDrop(offer);

  const submit = async (event: Event) => {
    event.preventDefault();
    if (isAsking) return;
    const target = typedTarget(text, isOwn);
    if ('blocked' in target) return setBlocked(target.blocked);
    setAsking(true);
    const isAccepted = await shorten({ ...target, title: '' });
    setAsking(false);
    // The user may have typed something else in the meantime.
    if (isAccepted) setText((now) => (now === text ? '' : now));
  };

  return (
    <form class={`other ${isOver ? 'is-drop-target' : ''}`} noValidate onSubmit={submit}>
      <label class="visually-hidden" for="other-url">
        {t('otherUrl')}
      </label>
      <div class="field-row">
        <input
          id="other-url"
          ref={focus}
          class="input"
          type="url"
          dir="ltr"
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          placeholder={t('otherUrlPlaceholder')}
          value={text}
          aria-invalid={blocked !== null}
          aria-describedby={blocked === null && isOnlyWay ? 'blocked' : 'other-url-problem'}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setBlocked(null);
          }}
        />
        <button ref={button} type="submit" class="button" disabled={text.trim() === ''} {...busyButtonProps(isAsking)}>
          {t('shorten')}
        </button>
      </div>
      <p id="other-url-problem" class="problem" role="alert">
        {blocked && notShortenableMessage(blocked)}
      </p>
    </form>
  );
}
