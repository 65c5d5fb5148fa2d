import { useEffect, useRef } from 'preact/hooks';
import { t } from '../ui/strings.ts';
import type { Connecting } from './use-connecting.ts';

interface KeyFieldProps {
  connecting: Connecting;
  /** Of the stored key: all of it that is ever shown. */
  lastFour: string | null;
}

/** The API key: goes in, never comes out. */
export function KeyField({ connecting: { draft, problem, enter }, lastFour }: KeyFieldProps) {
  const wrong = problem?.field === 'key';
  const kept = lastFour !== null && draft.apiKey === null && !wrong;
  const input = useRef<HTMLInputElement>(null);
  const replacing = useRef(false);
  useEffect(() => {
    if (!kept && replacing.current) input.current?.focus();
    replacing.current = false;
  }, [kept]);

  return (
    <div class="field">
      <label for="key">{t('apiKey')}</label>
      <div class="field-row">
        <input
          id="key"
          ref={input}
          class="input"
          type="password"
          autocomplete="off"
          spellcheck={false}
          dir="ltr"
          disabled={kept}
          placeholder={lastFour === null ? '' : `•••• ${lastFour}`}
          value={draft.apiKey ?? ''}
          aria-invalid={wrong}
          aria-describedby="key-help"
          onInput={(event) => enter({ apiKey: event.currentTarget.value })}
        />
        {kept && (
          <button
            type="button"
            class="button"
            onClick={() => {
              replacing.current = true;
              enter({ apiKey: '' });
            }}
          >
            {t('replaceKey')}
          </button>
        )}
      </div>
      <p id="key-help" class={wrong ? 'problem' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong ? t(`key_${problem.code}`) : t(kept ? 'keyKeptHelp' : 'keyHelp')}
      </p>
    </div>
  );
}
