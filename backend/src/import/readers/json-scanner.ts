import { FileProblem, ROW_SIZE_LIMIT, tooLong } from './import-file.ts';

/** What a scanner finds, in the order of the text. */
export interface JsonFindings {
  /** The text of an object that stands for a link, or of what stands in its stead. */
  entry(text: string): void;
  /** The text of a page, an empty list or object in the stead of its entries. */
  page(text: string): void;
}

/** The members that hold a page's links, in one service's API or another's. */
const CONTAINER_NAME = /^(?:data|links|result|shortUrls|urls)$/;
/** An object that is a page: such a member comes before any other object or list in it. */
const PAGE = /\{(?:[^{}[\]"]|"(?:[^"\\]|\\.)*")*?"(?:data|links|result|shortUrls|urls)"\s*:\s*[[{]/y;
/** An object whose members are objects themselves: entries that have names. */
const NAMED_ENTRIES = /\{\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*\{|\})/y;

/** What follows the end of a string that is a name, a member's value, or an item of a list. */
const AFTER_NAME = /\s*:/y;
const AFTER_VALUE = /\s*(?:\}|,\s*"(?:[^"\\]|\\.)*"\s*:)/y;
const AFTER_ITEM = /\s*(?:\]|,\s*["{[\dtfn-])/y;

/** What does not stand in a string as it is: a quote, a backslash, a control character. */
const SPECIAL = /["\\]|\p{Cc}/gu;

/** How much text past a position must be at hand to decide there, in characters. */
const LOOKAHEAD = 8 * 1024;

interface Frame {
  kind: 'page' | 'entries' | 'named entries' | 'entry' | 'other';
  close: '}' | ']';
  /** The name whose value comes next; null before a name, and in a list. */
  name: string | null;
}

/**
 * Takes JSON apart into links as it comes: the pages of an API, one or several after another or in a list, a list of links,
 * or a link a line. Bitly has answered with strings that hold bare quotes and control characters. Such a quote is told from
 * the end of its string by what follows, and both are escaped in what is found, so one broken link does not cost the others.
 */
export function createJsonScanner({ entry, page }: JsonFindings) {
  let text = '';
  let at = 0;
  let entries = 0;
  const frames: Frame[] = [];
  /** How many frames there were when the entry and the page began that are open; 0 where none is. */
  let entryDepth = 0;
  let pageDepth = 0;
  let entryText = '';
  let pageText = '';
  let isInString = false;
  /** The name that is being read; null where the string is a value. */
  let name: string | null = null;

  const holdsEntries = (frame: Frame | undefined) => frame?.kind === 'entries' || frame?.kind === 'named entries';
  const broken = () => new FileProblem(`This file is not JSON: what follows entry ${entries} cannot be read.`);

  function matches(pattern: RegExp, index: number): boolean {
    pattern.lastIndex = index;
    return pattern.test(text);
  }

  function keep(part: string): void {
    const frame = frames.at(-1);
    if (frame?.kind === 'named entries' && frame.name === null) return;
    if (entryDepth > 0) entryText += part;
    else if (!holdsEntries(frame)) pageText += part;
    else if (part.trim() !== '') entryText += part;
    if (entryText.length + pageText.length > ROW_SIZE_LIMIT) throw tooLong(`entry ${entries}`);
  }

  function kindOf(sign: '{' | '['): Frame['kind'] {
    const parent = frames.at(-1);
    if (entryDepth > 0) return 'other';
    if (parent?.kind === 'named entries') return 'entry';
    if (!parent && sign === '[') return 'entries';
    if (!parent || parent.kind === 'entries') return sign === '{' && matches(PAGE, at) ? 'page' : 'entry';
    if (parent.kind !== 'page' || !CONTAINER_NAME.test(parent.name ?? '')) return 'other';
    if (sign === '[') return 'entries';
    if (matches(PAGE, at)) return 'page';
    return matches(NAMED_ENTRIES, at) ? 'named entries' : 'entry';
  }

  function open(sign: '{' | '['): void {
    const kind = kindOf(sign);
    frames.push({ kind, close: sign === '{' ? '}' : ']', name: null });
    if (kind === 'entry') entryDepth = frames.length;
    if (kind === 'page' && pageDepth === 0) pageDepth = frames.length;
    if (!holdsEntries(frames.at(-1))) keep(sign);
    else if (pageDepth > 0) pageText += sign;
  }

  function close(sign: '}' | ']'): void {
    const frame = frames.at(-1);
    if (frame?.close !== sign) throw broken();
    if (holdsEntries(frame)) endEntry();
    if (!holdsEntries(frame)) keep(sign);
    else if (pageDepth > 0) pageText += sign;
    if (frames.length === entryDepth) endEntry();
    if (frames.length === pageDepth) endPage();
    frames.pop();
  }

  function endEntry(): void {
    const found = entryText;
    entryText = '';
    entryDepth = 0;
    if (found === '') return;
    // An entry in the stead of a page's list of them leaves no trace in the page.
    if (frames.at(-1)?.kind === 'entry' && frames.at(-2)?.kind === 'page') pageText += 'null';
    entries += 1;
    entry(found);
  }

  function endPage(): void {
    page(pageText);
    pageText = '';
    pageDepth = 0;
  }

  function readString(until: number): void {
    SPECIAL.lastIndex = at;
    const index = Math.min(SPECIAL.exec(text)?.index ?? until, until);
    const plain = text.slice(at, index);
    keep(plain);
    if (name !== null) name += plain;
    at = index;
    if (at >= until) return;
    const sign = text[at] as string;
    if (sign === '\\') keep(text.slice(at, at + 2));
    else if (sign !== '"') keep(' ');
    else if (endsString()) endString();
    else keep('\\"');
    at += sign === '\\' ? 2 : 1;
  }

  /** Whether the quote here ends its string. */
  function endsString(): boolean {
    if (name !== null) return matches(AFTER_NAME, at + 1);
    return matches(frames.at(-1)?.close === ']' ? AFTER_ITEM : AFTER_VALUE, at + 1);
  }

  function endString(): void {
    keep('"');
    isInString = false;
    const frame = frames.at(-1);
    if (name !== null && frame) frame.name = name;
    name = null;
  }

  function readSign(): void {
    const sign = text[at] as string;
    const frame = frames.at(-1);
    if (sign === '{' || sign === '[') open(sign);
    else if (sign === '}' || sign === ']') close(sign);
    else if (!frame) {
      if (!/[\s,]/.test(sign)) throw broken();
    } else if (sign === '"') {
      isInString = true;
      name = frame.close === '}' && frame.name === null ? '' : null;
      keep(sign);
    } else if (sign === ',' && holdsEntries(frame)) {
      endEntry();
      frame.name = null;
    } else if (sign !== ':' || frame.kind !== 'named entries') {
      if (sign === ',') frame.name = null;
      keep(sign);
    }
    at += 1;
  }

  function advance(until: number): void {
    while (at < until) {
      if (isInString) readString(until);
      else readSign();
    }
    text = text.slice(at);
    at = 0;
  }

  return {
    add(slice: string): void {
      text += slice;
      advance(text.length - LOOKAHEAD);
    },
    /** @throws FileProblem where the text ends too early */
    end(): void {
      advance(text.length);
      if (frames.length > 0) throw new FileProblem(`This file ends too early, after entry ${entries}: it was cut off.`);
    },
  };
}
