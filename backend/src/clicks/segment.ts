import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { MAGIC, readFrame, type Words, type WrittenClick } from './frame.ts';

/** Bytes read at once; a frame is smaller than that. */
const BLOCK = 2 ** 21;

/** Reads a segment, also while it is being written. */
export interface Segment {
  /** Where the next frame begins. */
  readonly position: number;
  /** Its length so far, in bytes. */
  size(): number;
  /** False where this version cannot read the file at all. */
  isKnown(): boolean;
  /**
   * Reads whole frames up to `end`, or until `isEnough`. Stops at a torn frame: either the last one of a dead process, whose
   * clicks were never answered, or one that is being written now.
   */
  read(end: number, each: ((click: WrittenClick) => void) | null, isEnough?: () => boolean): void;
  close(): void;
}

export function openSegment(path: string): Segment {
  const descriptor = openSync(path, 'r');
  const words: Words = { agent: [], referrer: [] };
  const room = Buffer.alloc(BLOCK);
  let position = 0;

  /** The bytes from the position to `end`, as many as fit; valid until the next call. */
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
