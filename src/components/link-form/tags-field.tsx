import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../format/i18n.ts';

interface TagsFieldProps {
  id: string;
  /** Tags, separated by commas. */
  value: string;
  /** True if the tags are invalid. The field then gets the focus. */
  faulty: boolean;
  set: (value: string) => void;
}

/** Field for a link's tags. */
export function TagsField({ id, value, faulty, set }: TagsFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (faulty) input.current?.focus();
  }, [faulty]);
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>{t('tags')}</label>
        <span id={`${id}-help`} class={faulty ? 'problem' : 'help'}>
          {t(faulty ? 'tagsMalformed' : 'tagsHelp')}
        </span>
      </div>
      <input
        ref={input}
        id={id}
        class="input"
        dir="auto"
        autocomplete="off"
        value={value}
        aria-invalid={faulty}
        aria-describedby={`${id}-help`}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </div>
  );
}
