import { html } from 'hono/html';

/** A piece of a page. Whatever is put into the template is escaped, unless it is such a piece itself. */
export type Html = ReturnType<typeof html>;

export { html };
