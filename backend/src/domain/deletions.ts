/** How long its holder can take the deletion of a link back, should the page stay open that long, in milliseconds. */
export const UNDO_LIFE = 86_400_000;

/** Whether a deletion can still be taken back. */
export function canBeUndone(deletedAt: number, now: number): boolean {
  return now - deletedAt <= UNDO_LIFE;
}

/** The instant to note for a deletion that its holder is not to take back. */
export function finalDeletion(now: number): number {
  return now - UNDO_LIFE - 1;
}
