import type { ComponentChildren } from 'preact';

/** One line of a list of facts (`<dl class="report">`): what it is, and its value. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="report-row">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
