/** Words in many common passwords. The words of this service are in the list, because attackers try them first. */
const COMMON_WORDS = `
  terse shortener shorten shorturl dashboard links link admin administrator owner
  password passwort passwd passw pass secret changeme change default login welcome letmein trustno access master root
  test user guest hello whatever computer internet iloveyou ilove loveyou love forever sunshine princess angel baby girl
  dragon monkey tiger shadow killer hunter ninja superman batman spiderman pokemon starwars football baseball basketball
  soccer hockey liverpool chelsea arsenal barcelona michael michelle jennifer jessica jordan charlie daniel ashley nicole
  andrew thomas summer winter spring autumn flower butterfly chocolate cookie samsung mustang ferrari`
  .trim()
  .split(/\s+/)
  .toSorted((one, other) => other.length - one.length);

/** Sequences of neighboring characters: in the alphabet, and on keyboards by row and by column. */
const SEQUENCES = `
  01234567890 112233445566778899 abcdefghijklmnopqrstuvwxyz !@#$%^&*()
  qwertyuiop asdfghjkl zxcvbnm qwertzuiop yxcvbnm azertyuiop qsdfghjklm wxcvbn
  1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p 0okm9ijn8uhb7ygv6tfc5rdx4esz3wa qazwsxedcrfvtgbyhnujmikolp
  1q2w3e4r5t6y7u8i9o0p q1w2e3r4t5y6u7i8o9p0 1a2s3d4f5g6h7j8k9l z1x2c3v4b5n6m7 qawsedrftgyhujikolp qwaszxerdfcv`
  .trim()
  .split(/\s+/)
  .flatMap((text) => [text, [...text].reverse().join('')]);

/** Characters that people often write instead of a letter. */
const LETTERS: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
};

const SHORTEST_SEQUENCE = 3;

/** Minimum number of characters that belong to no common word and no sequence. Digits count half. */
const LEAST_OTHERS = 6;

/**
 * True if a password consists of little more than common words, the words in `context`, sequences such as `qwerty`,
 * and repetitions.
 *
 * @param context words that are easy to guess for this account, such as its name
 */
export function isGuessable(password: string, context: readonly string[]): boolean {
  const text = withoutRepetition(password.toLowerCase());
  const known = context.map((word) => word.toLowerCase()).filter((word) => word.length >= SHORTEST_SEQUENCE);
  const words = [...known, ...COMMON_WORDS];
  return [text, withLetters(text)].some((spelling) => weigh(withoutSequences(without(words, spelling))) < LEAST_OTHERS);
}

/** Returns the repeated part of a text such as `abcabcabc`, or else the text itself. */
function withoutRepetition(text: string): string {
  const period = (text + text).indexOf(text, 1);
  return text.slice(0, period);
}

function withLetters(text: string): string {
  return [...text].map((character) => LETTERS[character] ?? character).join('');
}

/** Removes the words from a text, and puts a space in their place. */
function without(words: readonly string[], text: string): string {
  return words.reduce((rest, word) => rest.replaceAll(word, ' '), text);
}

function withoutSequences(text: string): string {
  let rest = '';
  for (let at = 0; at < text.length; ) {
    const length = sequenceLength(text.slice(at));
    if (length < SHORTEST_SEQUENCE) rest += text[at];
    at += length < SHORTEST_SEQUENCE ? 1 : length;
  }
  return rest;
}

/** Returns the length of the longest sequence or repeated character at the beginning of a text. */
function sequenceLength(text: string): number {
  const repeated = /^(.)\1*/su.exec(text)?.[0].length ?? 1;
  let length = SHORTEST_SEQUENCE - 1;
  while (length < text.length && SEQUENCES.some((sequence) => sequence.includes(text.slice(0, length + 1))))
    length += 1;
  return Math.max(repeated, length);
}

function weigh(text: string): number {
  const digits = text.match(/\d/g)?.length ?? 0;
  return text.replaceAll(/\s/g, '').length - digits / 2;
}
