import type { ComponentChildren } from 'preact';

/** One row of a definition list (`<dl class="report">`): a name and its value. */
export function NameValueRow({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="report-row">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
