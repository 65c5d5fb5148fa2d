import { SHORT_CODE_PATTERN } from '@terse/contract/link-fields';
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { displayUrl, usualBaseUrl } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { lookUpCode } from '../../link-sync/ask-server.ts';
import type { Connection } from '../../queue/types.ts';
import type { CodeUse } from '../../servers/adapter.ts';
import type { CodeRules } from '../../servers/capabilities.ts';
import { Icon } from '../icons.tsx';

/** Time without typing after which the short code is looked up, in milliseconds. */
const TYPING_PAUSE_MS = 300;

interface CodeFieldProps {
  connection: Connection;
  rules: CodeRules;
  code: string;
  faulty: boolean;
  input: RefObject<HTMLInputElement | null>;
  set: (code: string) => void;
}

/** Field for a chosen short code. It shows whether the code is invalid, taken or available. */
export function CodeField({ connection, rules, code, faulty, input, set }: CodeFieldProps) {
  const use = useCodeUse(connection, rules, code.trim());
  const { host, rest } = displayUrl(usualBaseUrl(connection));
  return (
    <div class="field">
      <div class="field-head">
        <label for="link-code">{t('shortCode')}</label>
        <span>
          {code.trim() === '' && (
            <span id="link-code-hint" class="help">
              {t('shortCodeHelp')}
            </span>
          )}
          <span id="link-code-use" class={`code-use ${use === 'available' ? 'is-good' : 'is-danger'}`} role="status">
            {use === 'available' && (
              <>
                <Icon name="check" />
                {t('codeAvailable')}
              </>
            )}
            {use === 'taken' && t('codeTaken')}
          </span>
        </span>
      </div>
      <div class="input code-input" dir="ltr">
        <span aria-hidden="true">
          {host}
          {rest}/
        </span>
        <input
          ref={input}
          id="link-code"
          maxLength={rules.maxLength}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={code}
          aria-invalid={faulty}
          aria-describedby="link-code-hint link-code-help link-code-use"
          onInput={(event) => set(event.currentTarget.value)}
        />
      </div>
      <p id="link-code-help" class="problem">
        {faulty && t(rules.pattern.source === SHORT_CODE_PATTERN.source ? 'shortCodeMalformed' : 'shortCodeRefused')}
      </p>
    </div>
  );
}

/** Checks whether the short code is available or taken. Returns null until the server has responded. */
function useCodeUse(connection: Connection, { pattern }: CodeRules, code: string): CodeUse | null {
  const [found, setFound] = useState<{ code: string; use: CodeUse } | null>(null);
  useEffect(() => {
    if (!pattern.test(code)) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const use = await lookUpCode(connection, code);
      if (isCurrent) setFound({ code, use });
    }, TYPING_PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [connection.id, code]);
  return found?.code === code ? found.use : null;
}
