const MAC = navigator.userAgent.includes('Mac OS');

/** The keys that undo, as everywhere: as they are written for people, and for assistive technology. */
export const UNDO_KEYS = MAC ? { shown: '⌘Z', aria: 'Meta+Z' } : { shown: 'Ctrl+Z', aria: 'Control+Z' };

/** Whether a key press asks to undo. In a field, it undoes what was typed there. */
export function isUndo({ key, code, ctrlKey, metaKey, shiftKey, altKey, target }: KeyboardEvent): boolean {
  if (target instanceof HTMLInputElement || shiftKey || altKey) return false;
  // On a keyboard without Latin letters, the physical key tells. On a Latin one it may be another letter.
  const isZ = key.toLowerCase() === 'z' || (code === 'KeyZ' && !/^[a-z]$/i.test(key));
  return isZ && (MAC ? metaKey : ctrlKey);
}
