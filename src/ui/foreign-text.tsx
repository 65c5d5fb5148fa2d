import { shownText } from '../platform/text.ts';

interface ForeignTextProps {
  text: string;
  class?: string;
  /** Shown on hover; the text itself unless it is given. */
  hover?: string;
}

/** Text that a page or a service wrote. Isolated: characters of another direction stay inside. */
export function ForeignText({ text, class: extra = '', hover = text }: ForeignTextProps) {
  return (
    <bdi class={extra} title={shownText(hover)}>
      {shownText(text)}
    </bdi>
  );
}
