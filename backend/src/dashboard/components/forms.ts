import type { PageContext } from '../page-definition.ts';
import type { DateFormats } from './dates-and-numbers.ts';
import { type Html, html } from './html-elements.ts';

/** Fields of a submitted form. A field that is missing, or contains a file, is an empty string. */
export interface Form {
  text(name: string): string;
  /** Returns all values of a field that can occur several times, such as the check boxes of a list. */
  texts(name: string): string[];
}

/** Reads a form, whose size `routes.ts` limits. Line ends, which HTML forms send as CR LF, become LF. */
export async function readForm(context: PageContext): Promise<Form> {
  const fields = await context.req.parseBody({ all: true }).catch(() => ({}) as Record<string, unknown>);
  const texts = (name: string): string[] => {
    const values = Object.hasOwn(fields, name) ? [fields[name]].flat() : [];
    return values.filter((value) => typeof value === 'string').map((value) => value.replaceAll('\r\n', '\n'));
  };
  // If a single field was sent several times, the last value counts.
  return { texts, text: (name) => texts(name).at(-1) ?? '' };
}

/** Error messages of a form by field; null if there are none. */
export type Problems = Record<string, string> | null;

/** Returns the fields that have an error message, or null if none has. */
export function collectProblems(messages: Record<string, string | null>): Problems {
  const wrong = Object.entries(messages).filter((entry): entry is [string, string] => entry[1] !== null);
  return wrong.length > 0 ? Object.fromEntries(wrong) : null;
}

export interface Field {
  name: string;
  label: string;
  type?: 'text' | 'password' | 'url' | 'number' | 'search' | 'date' | 'datetime-local';
  value?: string;
  help?: string;
  required?: boolean;
  autocomplete?: string;
  placeholder?: string;
  maxlength?: number;
  step?: string;
  /** True for the field that has the focus at first. If the form has errors, the first wrong field has it instead. */
  autofocus?: boolean;
}

/** Draws a field with its label, help and error message, which screen readers read with the field. */
export function field(options: Field, problems: Problems): Html {
  const { name, label, type = 'text', value = '', help } = options;
  const problem = problems?.[name];
  const described = [help && `${name}-help`, problem && `${name}-problem`].filter(Boolean).join(' ');
  const isFirst = problems ? isFirstProblem(name, problems) : options.autofocus;
  // Forms are `novalidate`, because the server checks them and the browser's messages would repeat its messages.
  return html`<div class="field">
  <label for="${name}">${label}</label>
  <input class="input" id="${name}" name="${name}" type="${type}" ${type === 'password' ? '' : html`value="${value}"`}
    ${options.required ? html`required` : ''} ${attribute('autocomplete', options.autocomplete)} ${attribute('placeholder', options.placeholder)}
    ${attribute('maxlength', options.maxlength)} ${attribute('step', options.step)} ${isFirst ? html`autofocus` : ''}
    ${type === 'text' || type === 'url' ? html`dir="auto"` : ''} ${inputModeAttributes(type)}
    ${attribute('aria-describedby', described || undefined)} ${problem ? html`aria-invalid="true"` : ''}>
  ${help ? html`<p class="help" id="${name}-help">${help}</p>` : ''}
  ${problem ? html`<p class="problem" id="${name}-problem">${problem}</p>` : ''}
</div>`;
}

/** True if a field is the first one with an error. Errors are listed in the order of the fields. */
function isFirstProblem(name: string, problems: NonNullable<Problems>): boolean {
  return Object.keys(problems)[0] === name;
}

function attribute(name: string, value: string | number | undefined): Html | '' {
  return value === undefined ? '' : html`${name}="${value}"`;
}

function inputModeAttributes(type: Field['type']): Html | '' {
  return type === 'url' || type === 'search' ? html`autocapitalize="off" spellcheck="false"` : '';
}

/** Draws the field for the expiry time. The form also sends its time zone, which may change before it is submitted. */
export function expiryField(value: string, problems: Problems, { zone }: DateFormats): Html {
  const zoneText = zone === 'UTC' ? 'Time in UTC.' : `Time in your time zone, ${zone}.`;
  const help = `${zoneText} Leave empty if the link never expires.`;
  return html`<input type="hidden" name="zone" value="${zone}">
  ${field({ name: 'expiresAt', label: 'Expires', type: 'datetime-local', value, help }, problems)}`;
}
