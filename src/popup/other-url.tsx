import { useState } from 'preact/hooks';
import { type Blocked, blockedSentence, typedTarget } from '../target/target.ts';
import { t } from '../ui/strings.ts';

interface OtherUrlProps {
  shortBaseUrl: string | undefined;
  shorten: (url: string) => void;
}

/** A box for any URL but the page's. */
export function OtherUrl({ shortBaseUrl, shorten }: OtherUrlProps) {
  const [text, setText] = useState('');
  const [blocked, setBlocked] = useState<Blocked | null>(null);

  const submit = (event: Event) => {
    event.preventDefault();
    const target = typedTarget(text, shortBaseUrl);
    if ('blocked' in target) return setBlocked(target.blocked);
    setText('');
    shorten(target.url);
  };

  return (
    <form class="other" noValidate onSubmit={submit}>
      <label class="visually-hidden" for="other-url">
        {t('otherUrl')}
      </label>
      <div class="field-row">
        <input
          id="other-url"
          class="input"
          type="url"
          dir="ltr"
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          placeholder={t('otherUrlPlaceholder')}
          value={text}
          aria-invalid={blocked !== null}
          aria-describedby="other-url-problem"
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
        {blocked && t(blockedSentence(blocked))}
      </p>
    </form>
  );
}
