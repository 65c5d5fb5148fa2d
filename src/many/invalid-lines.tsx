import type { Clipboard } from '../ui/copy.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import { refusalSentence } from '../ui/sentences.ts';
import { plural, t } from '../ui/strings.ts';
import type { Invalid } from './entries.ts';

/** Lines shown one by one: the others are copied with them. */
const SHOWN = 100;

interface InvalidLinesProps {
  invalid: Invalid[];
  clipboard: Clipboard;
  remove: () => void;
}

/** What cannot be sent, as it stood in the list, and why. It stays until the person removes it or leaves the page. */
export function InvalidLines({ invalid, clipboard, remove }: InvalidLinesProps) {
  if (invalid.length === 0) return null;
  return (
    <section class="card invalid" aria-labelledby="invalid-title">
      <h2 id="invalid-title">{plural('manyInvalid', invalid.length)}</h2>
      <ul>
        {invalid.slice(0, SHOWN).map(({ id, text, reason }) => (
          <li key={id} class="invalid-line">
            <ForeignText class="line" text={text} />
            <span class="problem">{refusalSentence(reason)}</span>
          </li>
        ))}
      </ul>
      {invalid.length > SHOWN && <p class="help">{plural('manyInvalidMore', invalid.length - SHOWN)}</p>}
      <div class="actions">
        <button type="button" class="button" onClick={() => clipboard.copy(invalid.map(({ text }) => text).join('\n'))}>
          {t('manyInvalidCopy')}
        </button>
        <button type="button" class="button" onClick={remove}>
          {t('manyInvalidRemove')}
        </button>
      </div>
    </section>
  );
}
