import type { PageContext } from '../page-definition.ts';
import type { DateFormats } from './dates-and-numbers.ts';
import { type Html, html } from './html-elements.ts';

/** The fields of a form that was sent. A field that is missing, or a file, is an empty text. */
export interface Form {
  text(name: string): string;
  /** Every value of a field that may be there several times, such as a row's box. */
  texts(name: string): string[];
}

/** Reads a form; the mount bounds its size. Line ends, which HTML forms send as CR LF, become LF. */
export async function readForm(context: PageContext): Promise<Form> {
  const fields = await context.req.parseBody({ all: true }).catch(() => ({}) as Record<string, unknown>);
  const texts = (name: string): string[] => {
    const values = Object.hasOwn(fields, name) ? [fields[name]].flat() : [];
    return values.filter((value) => typeof value === 'string').map((value) => value.replaceAll('\r\n', '\n'));
  };
  // Of a field that is sent several times where one is meant, the last counts.
  return { texts, text: (name) => texts(name).at(-1) ?? '' };
}

/** What is wrong with a form, by field; null where nothing is. */
export type Problems = Record<string, string> | null;

/** Keeps the fields that have a problem; null where none has. */
export function collectProblems(found: Record<string, string | null>): Problems {
  const wrong = Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== null);
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
  /** Where to begin on a page that is opened; where something is wrong, the first wrong field has the focus instead. */
  autofocus?: boolean;
}

/** A labelled field. Its help and its problem, if any, belong to it for screen readers too. */
export function field(given: Field, problems: Problems): Html {
  const { name, label, type = 'text', value = '', help } = given;
  const problem = problems?.[name];
  const described = [help && `${name}-help`, problem && `${name}-problem`].filter(Boolean).join(' ');
  const isFirst = problems ? isFirstProblem(name, problems) : given.autofocus;
  // Forms are `novalidate`: the server checks them, and the browser's messages would only repeat its own.
  return html`<div class="field">
  <label for="${name}">${label}</label>
  <input class="input" id="${name}" name="${name}" type="${type}" ${type === 'password' ? '' : html`value="${value}"`}
    ${given.required ? html`required` : ''} ${attribute('autocomplete', given.autocomplete)} ${attribute('placeholder', given.placeholder)}
    ${attribute('maxlength', given.maxlength)} ${attribute('step', given.step)} ${isFirst ? html`autofocus` : ''}
    ${type === 'text' || type === 'url' ? html`dir="auto"` : ''} ${inputModeAttributes(type)}
    ${attribute('aria-describedby', described || undefined)} ${problem ? html`aria-invalid="true"` : ''}>
  ${help ? html`<p class="help" id="${name}-help">${help}</p>` : ''}
  ${problem ? html`<p class="problem" id="${name}-problem">${problem}</p>` : ''}
</div>`;
}

/** Whether a field is the first one with a problem. Problems are listed in the order of the fields. */
function isFirstProblem(name: string, problems: NonNullable<Problems>): boolean {
  return Object.keys(problems)[0] === name;
}

function attribute(name: string, value: string | number | undefined): Html | '' {
  return value === undefined ? '' : html`${name}="${value}"`;
}

function inputModeAttributes(type: Field['type']): Html | '' {
  return type === 'url' || type === 'search' ? html`autocapitalize="off" spellcheck="false"` : '';
}

/** When a link expires. The form also says in which zone the time is, whatever the browser's zone is by then. */
export function expiryField(value: string, problems: Problems, { zone }: DateFormats): Html {
  const where = zone === 'UTC' ? 'In UTC.' : `In your time zone, ${zone}.`;
  const help = `${where} Leave it empty for a link that never expires.`;
  return html`<input type="hidden" name="zone" value="${zone}">
  ${field({ name: 'expiresAt', label: 'Expires', type: 'datetime-local', value, help }, problems)}`;
}
