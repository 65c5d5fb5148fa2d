import type { Problems } from '../form.ts';
import { type Html, html } from '../html.ts';
import type { Times } from '../times.ts';
import { field } from './field.ts';

/** When a link expires. The form also says in which zone the time is, whatever the browser's zone is by then. */
export function expiryField(value: string, problems: Problems, { zone }: Times): Html {
  const where = zone === 'UTC' ? 'In UTC.' : `In your time zone, ${zone}.`;
  const help = `${where} Leave it empty for a link that never expires.`;
  return html`<input type="hidden" name="zone" value="${zone}">
  ${field({ name: 'expiresAt', label: 'Expires', type: 'datetime-local', value, help }, problems)}`;
}
