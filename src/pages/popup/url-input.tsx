import { findUrlsInField } from '@terse/contract/urls-in-text';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { busyButtonProps } from '../../components/busy-button.ts';
import { useAutofocus } from '../../components/hooks/use-autofocus.ts';
import { useDrop } from '../../components/hooks/use-drop-and-paste.ts';
import { IconButton } from '../../components/icons.tsx';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { MAX_TEXT_LENGTH } from '../../messages/open-page-with-data.ts';
import { type IsOwnShortUrl, type NotShortenable, typedTarget } from '../../urls/shortenable-url-rules.ts';
import { Stage, StatusTile, Title } from './cards/card-layout.tsx';
import type { CurrentTarget } from './read-current-tab.ts';
import type { Shorten } from './use-popup-actions.ts';

/** Content of the field for entering another URL. */
export interface UrlDraft {
  text: string;
  /** Reason why the text cannot be shortened. Null if the text is valid or was not checked yet. */
  problem: NotShortenable | null;
  /** Id of an existing request that the new request replaces. */
  insteadOf?: string | undefined;
  /** Number of URLs that were pasted or dropped outside the field. */
  pastes: number;
}

const EMPTY: UrlDraft = { text: '', problem: null, pastes: 0 };

/**
 * Manages the field for entering another URL. The field opens if the user drops a URL on the popup, or pastes a URL
 * outside a field. If the user drops or pastes several URLs or a file, the bulk page opens instead.
 *
 * @param openList opens the bulk page with the dropped or pasted text
 */
export function useUrlField(isOwn: IsOwnShortUrl, openList: (text: string) => void) {
  const [draft, setDraft] = useState<UrlDraft | null>(null);
  const take = (transfer: DataTransfer) => {
    const given = (transfer.getData('text/uri-list') || transfer.getData('text/plain')).trim();
    // A text with millions of lines would block the popup. The bulk page tells the user that the text is too long.
    const isTooLong = given.length > MAX_TEXT_LENGTH;
    const [url, ...others] = isTooLong ? [] : findUrlsInField(given).urls;
    if (isTooLong || others.length > 0) openList(given);
    else if (given !== '') {
      const text = url ?? given;
      setDraft((before) => ({ text, problem: problemOf(text, isOwn), pastes: (before?.pastes ?? 0) + 1 }));
    } else if (transfer.files.length > 0) openList('');
    return given !== '';
  };
  const isOver = useDrop(take);
  return {
    draft,
    /** True while something is dragged over the popup. */
    isOver,
    set: setDraft,
    open: (text = '', insteadOf?: string) => setDraft({ ...EMPTY, text, insteadOf }),
    close: () => setDraft(null),
    closeEmpty: () => setDraft((now) => (now?.text === '' ? null : now)),
    /** Closes the field after its draft was sent, unless the user has changed the draft in the meantime. */
    closeSent: (sent: UrlDraft | null) => setDraft((now) => (now === sent ? null : now)),
  };
}

function problemOf(text: string, isOwn: IsOwnShortUrl): NotShortenable | null {
  const target = typedTarget(text, isOwn);
  return 'blocked' in target ? target.blocked : null;
}

/**
 * True if the device probably has a physical keyboard. On other devices, focusing the field would open an on-screen
 * keyboard, which would cover the message about why the page cannot be shortened.
 */
const hasKeyboard = () => matchMedia('(hover: hover)').matches;

interface UrlStageProps {
  /** Null if the user has not typed or pasted anything yet. */
  draft: UrlDraft | null;
  target: CurrentTarget;
  /**
   * Reason why the page cannot be shortened, so that the user must enter another URL. Null if the page can be
   * shortened.
   */
  blocked: NotShortenable | null;
  isOwn: IsOwnShortUrl;
  /** True if the popup belongs to a private window. */
  isPrivate: boolean;
  set: (draft: UrlDraft) => void;
  close: () => void;
  /** Sends the URL to the background worker. Resolves to true if the worker accepted the URL. */
  shorten: (what: Shorten) => Promise<boolean>;
  /** Called with the sent draft after the background worker has replied. */
  finish: (sent: UrlDraft | null, isAccepted: boolean) => void;
}

/** The field for entering another URL. It replaces the page's title and button. */
export function UrlStage({ draft, target, blocked, isOwn, isPrivate, set, close, shorten, finish }: UrlStageProps) {
  const { text, problem, insteadOf, pastes } = draft ?? EMPTY;
  const [isAsking, setAsking] = useState(false);
  const input = useAutofocus<HTMLInputElement>('', blocked !== null && hasKeyboard());
  const button = useRef<HTMLButtonElement>(null);
  const isOpened = draft !== null;
  // After a paste, the button gets the focus, so that Enter submits the URL. Otherwise, the field gets the focus.
  useLayoutEffect(() => {
    if (pastes > 0) button.current?.focus();
    else if (isOpened) input.current?.focus();
  }, [pastes, isOpened]);

  const submit = async (event: Event) => {
    event.preventDefault();
    if (isAsking) return;
    const typed = typedTarget(text, isOwn);
    if ('blocked' in typed) return set({ ...(draft ?? EMPTY), problem: typed.blocked });
    setAsking(true);
    const isAccepted = await shorten({ ...typed, title: '', insteadOf });
    setAsking(false);
    finish(draft, isAccepted);
  };

  return (
    <Stage
      tile={<StatusTile icon="globe" />}
      head={
        blocked === null ? (
          <h2 class="stage-title">{t('otherUrl')}</h2>
        ) : (
          <>
            <Title target={target} />
            <p id="blocked" class="stage-message">
              {notShortenableMessage(blocked)}
            </p>
          </>
        )
      }
      end={blocked === null && <IconButton icon="close" name={t('close')} press={close} />}
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
            onInput={(event) => set({ ...(draft ?? EMPTY), text: event.currentTarget.value, problem: null })}
          />
          <button
            ref={button}
            type="submit"
            class="button"
            disabled={text.trim() === ''}
            {...busyButtonProps(isAsking)}
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
          {isPrivate && problem === null && <p>{t('privateListed')}</p>}
        </>
      }
    />
  );
}
