import type { ComponentProps, RefObject } from 'preact';

/** Message below a field. `role` is set if screen readers should announce the message. */
export interface FieldHint {
  text: string;
  class: 'help' | 'problem' | 'problem is-warning';
  role?: 'alert';
}

export function help(text: string): FieldHint {
  return { text, class: 'help' };
}

/** Returns the hint for an error in what the user entered. */
export function mistake(text: string): FieldHint {
  return { text, class: 'problem', role: 'alert' };
}

interface TextFieldProps {
  id: string;
  label: string;
  value: string;
  enter: (value: string) => void;
  hint?: FieldHint | undefined;
  /** Further attributes of the input. */
  attributes?: ComponentProps<'input'>;
  input?: RefObject<HTMLInputElement | null>;
}

/** A labeled input for text, with a message below it. */
export function TextField({ id, label, value, enter, hint, attributes = {}, input }: TextFieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        autocomplete="off"
        spellcheck={false}
        aria-invalid={hint?.role === 'alert'}
        aria-describedby={hint && `${id}-help`}
        {...attributes}
        id={id}
        ref={input ?? null}
        class="input"
        value={value}
        onInput={(event) => enter(event.currentTarget.value)}
      />
      {hint && (
        <p id={`${id}-help`} class={hint.class} role={hint.role}>
          {hint.text}
        </p>
      )}
    </div>
  );
}
