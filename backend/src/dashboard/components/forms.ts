import { hash } from 'node:crypto';
import type { PageContext } from '../../api/services.ts';
import { generateToken, type Random } from '../../domain/clock-and-random.ts';
import { type Html, html } from './html-elements.ts';

/** Fields of a submitted form. A missing field is an empty string. */
export interface Form {
  text(name: string): string;
  /** Returns all values of a field that can occur several times, such as the check boxes in a list. */
  texts(name: string): string[];
}

/** Reads a submitted form. Converts line breaks from CR LF, which browsers send, to LF. */
export async function readForm(context: PageContext): Promise<Form> {
  const fields = await readFields(context);
  const texts = (name: string): string[] => {
    const values = Object.hasOwn(fields, name) ? [fields[name]].flat() : [];
    return values.filter((value) => typeof value === 'string').map((value) => value.replaceAll('\r\n', '\n'));
  };
  return { texts, text: (name) => texts(name).at(-1) ?? '' };
}

function readFields(context: PageContext): Promise<Record<string, unknown>> {
  return context.req.parseBody({ all: true }).catch(() => ({}));
}

/** Draws the hidden field of a form that creates something. Each opened form has another value. */
export function formKeyField(random: Random): Html {
  return html`<input type="hidden" name="formKey" value="${generateToken(random)}">`;
}

/**
 * Returns a hash of a form that creates something. If the browser sends an opened form again without changes, for
 * example because the response was lost, the hash is the same. Returns null if the form has no key.
 */
export async function submissionHash(context: PageContext): Promise<Uint8Array | null> {
  const fields = await readFields(context);
  if (typeof fields.formKey !== 'string' || fields.formKey === '') return null;
  return hash('sha256', JSON.stringify([context.req.path, Object.entries(fields)]), 'buffer');
}

/** Error messages by field, or null if all fields are valid. */
export type Problems = Record<string, string> | null;

/** Returns the error messages of the invalid fields, or null if all fields are valid. */
export function collectProblems(messages: Record<string, string | null | undefined>): Problems {
  const wrong = Object.entries(messages).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return wrong.length > 0 ? Object.fromEntries(wrong) : null;
}

export interface Field {
  name: string;
  label: string;
  type?: 'text' | 'password' | 'url' | 'datetime-local';
  value?: string;
  help?: string;
  required?: boolean;
  autocomplete?: string;
  placeholder?: string;
  maxlength?: number;
  /**
   * True for the field that is focused when the page opens. If the form has errors, the first invalid field is
   * focused instead.
   */
  autofocus?: boolean;
}

/** Draws a field with its label, help text and error message. */
export function field(options: Field, problems: Problems): Html {
  const { name, type = 'text', value = '' } = options;
  // The error messages are in the same order as the fields.
  const isFirst = problems ? Object.keys(problems)[0] === name : options.autofocus;
  // Forms have the attribute `novalidate`, because the server's error messages are better than the browser's.
  return fieldFrame(
    options,
    problems,
    (
      described,
    ) => html`<input class="input" id="${name}" name="${name}" type="${type}" ${type === 'password' ? '' : html`value="${value}"`}
    ${options.required ? html`required` : ''} ${attribute('autocomplete', options.autocomplete)} ${attribute('placeholder', options.placeholder)}
    ${attribute('maxlength', options.maxlength)} ${isFirst ? html`autofocus` : ''}
    ${type === 'text' || type === 'url' ? html`dir="auto"` : ''} ${type === 'url' ? html`autocapitalize="off" spellcheck="false"` : ''}
    ${described}>`,
  );
}

/** Draws a drop-down field. `options` maps each value to its visible label. */
export function selectField(select: Field, options: Record<string, string>, problems: Problems = null): Html {
  const { name, value } = select;
  const items = Object.entries(options).map(
    ([option, text]) => html`<option value="${option}" ${option === value ? html`selected` : ''}>${text}</option>`,
  );
  return fieldFrame(
    select,
    problems,
    (described) => html`<select class="input" id="${name}" name="${name}" ${described}>${items}</select>`,
  );
}

/** Draws the label, help text and error message around an input, whose attributes refer to them. */
function fieldFrame({ name, label, help }: Field, problems: Problems, draw: (described: Html) => Html): Html {
  const problem = problems?.[name];
  const ids = [help && `${name}-help`, problem && `${name}-problem`].filter(Boolean).join(' ');
  const described = html`${attribute('aria-describedby', ids || undefined)} ${problem ? html`aria-invalid="true"` : ''}`;
  return html`<div class="field">
  <label for="${name}">${label}</label>
  ${draw(described)}
  ${help ? html`<p class="help" id="${name}-help">${help}</p>` : ''}
  ${problem ? html`<p class="problem" id="${name}-problem">${problem}</p>` : ''}
</div>`;
}

interface CheckBox {
  label: Html | string;
  help: string;
  isChecked: boolean;
  hasFocus?: boolean;
}

/** Draws a check box with its label and help text. If it is selected, the form contains `yes` under its name. */
export function checkbox(name: string, { label, help, isChecked, hasFocus = false }: CheckBox): Html {
  return html`<div class="check"><input type="checkbox" id="${name}" name="${name}" value="yes" aria-describedby="${name}-help" ${isChecked ? html`checked` : ''} ${hasFocus ? html`autofocus` : ''}>
  <div><label for="${name}">${label}</label><p class="help" id="${name}-help">${help}</p></div></div>`;
}

function attribute(name: string, value: string | number | undefined): Html | '' {
  return value === undefined ? '' : html`${name}="${value}"`;
}
