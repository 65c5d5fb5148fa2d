/** How long the holder of a link can undo its deletion on the dashboard, in milliseconds. Everywhere else it is final. */
export const UNDO_LIFE = 86_400_000;
