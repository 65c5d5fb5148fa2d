import { SHORT_CODE_PATTERN } from '@terse/contract/link-fields';
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../format/i18n.ts';
import { lookUpCode } from '../../link-sync/ask-service.ts';
import type { Connection } from '../../queue/types.ts';
import type { CodeRules } from '../../services/capabilities.ts';
import type { CodeUse } from '../../services/link-operations.ts';

interface CodeFieldProps {
  connection: Connection;
  rules: CodeRules;
  code: string;
  faulty: boolean;
  input: RefObject<HTMLInputElement | null>;
  set: (code: string) => void;
}

/** Field for a chosen short code. It checks the code's form, and if the user has a link with this code. */
export function CodeField({ connection, rules, code, faulty, input, set }: CodeFieldProps) {
  const [use, setUse] = useState<{ code: string; use: CodeUse } | null>(null);
  const asked = code.trim();
  const check = async () => {
    setUse({ code: asked, use: await lookUpCode(connection, asked) });
  };
  return (
    <div class="field">
      <label for="link-code">{t('shortCode')}</label>
      <div class="field-row">
        <input
          ref={input}
          id="link-code"
          class="input"
          dir="ltr"
          maxLength={rules.maxLength}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={code}
          aria-invalid={faulty}
          aria-describedby="link-code-help link-code-use"
          onInput={(event) => set(event.currentTarget.value)}
        />
        <button type="button" class="button" disabled={!rules.pattern.test(asked)} onClick={() => void check()}>
          {t('codeCheck')}
        </button>
      </div>
      <p id="link-code-help" class={faulty ? 'problem' : 'help'}>
        {t(faulty ? malformedKey(rules) : 'shortCodeHelp')}
      </p>
      <p id="link-code-use" class="help" role="status">
        {use !== null && use.code === asked && t(`code_${use.use}`)}
      </p>
    </div>
  );
}

/** Returns the message for a malformed code. Some servers accept fewer characters than others. */
function malformedKey({ pattern }: CodeRules) {
  return pattern.source === SHORT_CODE_PATTERN.source ? 'shortCodeMalformed' : 'shortCodeRefused';
}
