import type { Problems } from '../form.ts';
import { type Html, html } from '../html.ts';

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
    ${type === 'text' || type === 'url' ? html`dir="auto"` : ''} ${spelling(type)}
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

function spelling(type: Field['type']): Html | '' {
  return type === 'url' || type === 'search' ? html`autocapitalize="off" spellcheck="false"` : '';
}
