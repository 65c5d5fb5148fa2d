/** Maximum length of a text that is normalized: no name is longer, and a long text could take seconds. */
const MAX_NORMALIZED = 1000;

/** A name as it is shown: trimmed and normalized. A text that is too long for any name is trimmed only. */
export function plainName(text: string): string {
  const name = text.trim();
  return name.length > MAX_NORMALIZED ? name : name.normalize('NFC');
}

/** Why a text cannot be the name of an account or a key, in a sentence; null where it can. */
export function nameProblem(name: string, limit: number): string | null {
  if (name === '') return 'Please enter a name.';
  if (name.length > limit) return `A name can have at most ${limit} characters.`;
  // Control and format characters, the bidirectional ones among them, could make one name look like another.
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'A name must not contain invisible characters.';
  return null;
}
