import { useState } from 'preact/hooks';
import { type Blocked, type IsOwnShortUrl, typedTarget } from '../target/target.ts';
import { blockedSentence } from '../ui/sentences.ts';
import { t } from '../ui/strings.ts';
import { useFocus } from '../ui/use-focus.ts';
import type { Shorten } from './popup-handlers.ts';

interface OtherUrlProps {
  isOwn: IsOwnShortUrl;
  /** The page cannot be shortened: what is left to do is here. */
  isOnlyWay: boolean;
  shorten: (what: Shorten) => void;
}

/** A keyboard on the screen would cover the sentence that says why the page cannot be shortened. */
const hasKeyboard = () => matchMedia('(hover: hover)').matches;

/** A box for any URL but the page's. */
export function OtherUrl({ isOwn, isOnlyWay, shorten }: OtherUrlProps) {
  const [text, setText] = useState('');
  const [blocked, setBlocked] = useState<Blocked | null>(null);
  const focus = useFocus<HTMLInputElement>('', isOnlyWay && hasKeyboard());

  const submit = (event: Event) => {
    event.preventDefault();
    const target = typedTarget(text, isOwn);
    if ('blocked' in target) return setBlocked(target.blocked);
    setText('');
    shorten({ ...target, title: '' });
  };

  return (
    <form class="other" noValidate onSubmit={submit}>
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
        <button type="submit" class="button" disabled={text.trim() === ''}>
          {t('shorten')}
        </button>
      </div>
      <p id="other-url-problem" class="problem" role="alert">
        {blocked && blockedSentence(blocked)}
      </p>
    </form>
  );
}
