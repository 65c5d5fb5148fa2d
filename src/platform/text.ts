/** More than a title needs, and little enough for any page to lay out. In UTF-16 units. */
const SHOWN = 1_000;

/** Marks, embeddings, overrides and isolates: they turn what is read around, and nobody sees them. */
const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Text of a page or a service as it is shown: bounded, and without what would make it read as something else. */
export function shownText(text: string): string {
  return text.slice(0, SHOWN).replace(BIDI_CONTROLS, '').trim();
}
