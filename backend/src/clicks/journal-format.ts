import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * First bytes of each file with recorded clicks. They identify the file format.
 *
 * Each process writes a series of files, called segments. After the first bytes, a segment consists of frames. A
 * frame contains the clicks of one event loop tick and consists of these parts:
 *
 * length of the body, CRC-32 of the body, time, number of clicks, the clicks, new words
 *
 * The body starts after the CRC-32. Words are user agents and referrers. Each word is written only once per segment.
 * A click takes only 20 bytes, because it contains the indexes of its words instead of the words.
 */
export const MAGIC = Buffer.from('TERSEC01');

const HEAD = 8;
const FIXED = HEAD + 12;
const CLICK = 20;
const WORD = 3;

/** Visitor hashes have 48 bits, which are written as a 32-bit and a 16-bit number. */
const HALF = 2 ** 32;

/** Maximum number of clicks in a frame, the unit in which clicks are written to a file. */
export const MAX_CLICKS = 2000;

const WORDS = ['agent', 'referrer'] as const;
export type WordKind = (typeof WORDS)[number];

export interface FrameWriter {
  readonly count: number;
  isFull(): boolean;
  addClick(link: number, visitor: number, agent: number, referrer: number, country: string): void;
  addWord(kind: WordKind, word: string): void;
  /** Returns the encoded clicks. The returned buffer is overwritten when the next click is added. */
  finish(instant: number): Buffer;
  clear(): void;
}

export function createFrameWriter(): FrameWriter {
  const buffer = Buffer.alloc(FIXED + MAX_CLICKS * CLICK);
  const view = viewOf(buffer);
  let words: Buffer[] = [];
  let count = 0;

  return {
    get count() {
      return count;
    },
    isFull: () => count === MAX_CLICKS,
    addClick(link, visitor, agent, referrer, country) {
      const at = FIXED + count * CLICK;
      view.setFloat64(at, link, true);
      view.setUint32(at + 8, visitor % HALF, true);
      view.setUint16(at + 12, visitor / HALF, true);
      view.setUint16(at + 14, agent, true);
      view.setUint16(at + 16, referrer, true);
      if (country === '') view.setUint16(at + 18, 0, true);
      else buffer.write(country, at + 18, 2, 'latin1');
      count += 1;
    },
    addWord(kind, word) {
      const text = Buffer.from(word, 'latin1');
      const head = Buffer.alloc(WORD);
      head.writeUInt8(WORDS.indexOf(kind), 0);
      head.writeUInt16LE(text.length, 1);
      words.push(head, text);
    },
    finish(instant) {
      buffer.writeDoubleLE(instant, HEAD);
      buffer.writeUInt32LE(count, HEAD + 8);
      const clicks = buffer.subarray(0, FIXED + count * CLICK);
      const frame = words.length === 0 ? clicks : Buffer.concat([clicks, ...words]);
      frame.writeUInt32LE(frame.length - HEAD, 0);
      frame.writeUInt32LE(crc32(frame.subarray(HEAD)), 4);
      return frame;
    },
    clear() {
      words = [];
      count = 0;
    },
  };
}

/** User agents and referrers in a file with recorded clicks, in the order in which they were written. */
export type Words = Record<WordKind, string[]>;

export interface WrittenClick {
  link: number;
  instant: number;
  visitor: number;
  agent: string;
  referrer: string;
  country: string;
}

/**
 * Decodes the frame at the start of `bytes`. Calls `each` for each click, and appends new user agents and referrers
 * to `words`.
 *
 * @returns size of the frame in bytes, or 0 if the frame is incomplete or damaged
 */
export function readFrame(bytes: Buffer, words: Words, each: ((click: WrittenClick) => void) | null): number {
  const length = HEAD + (bytes.length >= FIXED ? bytes.readUInt32LE(0) : 0);
  if (length < FIXED || length > bytes.length) return 0;
  const frame = bytes.subarray(0, length);
  if (crc32(frame.subarray(HEAD)) !== frame.readUInt32LE(4)) return 0;
  const instant = frame.readDoubleLE(HEAD);
  const end = FIXED + frame.readUInt32LE(HEAD + 8) * CLICK;
  readWords(frame.subarray(end), words);
  if (!each) return length;
  const view = viewOf(frame);
  for (let at = FIXED; at < end; at += CLICK) each(readClick(frame, view, at, instant, words));
  return length;
}

function readClick(frame: Buffer, view: DataView, at: number, instant: number, words: Words): WrittenClick {
  return {
    link: view.getFloat64(at, true),
    instant,
    visitor: view.getUint32(at + 8, true) + view.getUint16(at + 12, true) * HALF,
    agent: words.agent[view.getUint16(at + 14, true)] ?? '',
    referrer: words.referrer[view.getUint16(at + 16, true)] ?? '',
    country: frame[at + 18] ? frame.toString('latin1', at + 18, at + 20) : '',
  };
}

/** Returns a DataView, which reads and writes numbers ten times as fast as a Buffer. */
const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

function readWords(bytes: Buffer, words: Words): void {
  for (let at = 0; at < bytes.length; ) {
    const end = at + WORD + bytes.readUInt16LE(at + 1);
    const kind = WORDS[bytes.readUInt8(at)];
    if (kind) words[kind].push(bytes.toString('latin1', at + WORD, end));
    at = end;
  }
}

/** Number of bytes to read at once. A frame is never larger. */
const BLOCK = 2 ** 21;

/** Reads a file with recorded clicks, even while another process is writing it. */
export interface Segment {
  readonly position: number;
  size(): number;
  /** True if this version of Terse can read the file format. */
  isKnown(): boolean;
  /** Reads clicks up to the byte `end`, or until `isEnough` returns true. Stops if the next clicks are incomplete. */
  read(end: number, each: ((click: WrittenClick) => void) | null, isEnough?: () => boolean): void;
  close(): void;
}

export function openSegment(path: string): Segment {
  const descriptor = openSync(path, 'r');
  const words: Words = { agent: [], referrer: [] };
  const room = Buffer.alloc(BLOCK);
  let position = 0;

  /**
   * Returns the bytes between the current position and `end`, up to the size of the buffer. The next call overwrites
   * the returned bytes.
   */
  const bytes = (end: number): Buffer => {
    const length = Math.max(0, Math.min(end, fstatSync(descriptor).size) - position);
    return room.subarray(0, readSync(descriptor, room, 0, Math.min(length, BLOCK), position));
  };

  function begin(): 'known' | 'unbegun' | 'unknown' {
    if (position > 0) return 'known';
    const magic = bytes(position + MAGIC.length);
    if (magic.length < MAGIC.length) return 'unbegun';
    if (!magic.equals(MAGIC)) return 'unknown';
    position = MAGIC.length;
    return 'known';
  }

  return {
    get position() {
      return position;
    },
    size: () => fstatSync(descriptor).size,
    isKnown: () => begin() !== 'unknown',
    read(end, each, isEnough = () => false) {
      if (begin() !== 'known') return;
      for (;;) {
        let block = bytes(end);
        const start = position;
        for (let length = -1; length !== 0 && !isEnough(); block = block.subarray(length)) {
          length = readFrame(block, words, each);
          position += length;
        }
        if (position === start || isEnough()) return;
      }
    },
    close: () => closeSync(descriptor),
  };
}
