import { ICON_PATHS, type IconName } from '@terse/design';
import { type Html, html } from '../html.ts';

/** Decorative: the name of a control says what it does. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="${ICON_PATHS[name]}"/></svg>`;
}

/** The mark: a T that comes to its full stop. The same shapes as design/icon.svg. */
export function mark(): Html {
  return html`<svg class="mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><rect class="mark-ground" width="16" height="16" rx="4"/><path class="mark-letter" d="M4 5h6M7 5v6"/><circle class="mark-stop" cx="12" cy="11" r="1.25"/></svg>`;
}
