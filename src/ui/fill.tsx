import { type ComponentChild, Fragment } from 'preact';
import { type MessageKey, t } from './strings.ts';

/** Stands for the part that is put there afterwards: a character that no string has. */
const MARK = '\uE000';

/** A string whose placeholders are elements: a title that is isolated, a link. `fill('removed', <ForeignText … />)`. */
export function fill(key: MessageKey, ...parts: ComponentChild[]): ComponentChild {
  const marked = t(key, ...parts.map((_, index) => MARK + index));
  return marked.split(/\u2068?\uE000(\d)\u2069?/).map((text, index) => {
    const part = index % 2 === 0 ? text : parts[Number(text)];
    return <Fragment key={index}>{part}</Fragment>;
  });
}
