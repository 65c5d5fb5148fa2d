import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { MAGIC, readFrame, type Words, type WrittenClick } from './frame.ts';

/** Bytes read at once; a frame is smaller than that. */
const BLOCK = 2 ** 21;

/** Reads a segment, also while it is being written. */
export interface Segment {
  /** Where the next frame begins. */
  readonly position: number;
  /** Bytes there are so far. */
  size(): number;
  /** False where the file is no segment of this version's form, and nothing of it can be read. */
  isKnown(): boolean;
  /**
   * Reads whole frames from here to `end`, or until it is enough, or as far as there are any. Stops where a frame is
   * torn: the last of a dead process, which never answered its clicks, or one that is being written now.
   */
  read(end: number, each: ((click: WrittenClick) => void) | null, isEnough?: () => boolean): void;
  close(): void;
}

export function openSegment(path: string): Segment {
  const descriptor = openSync(path, 'r');
  const words: Words = { agent: [], referrer: [] };
  const room = Buffer.alloc(BLOCK);
  let position = 0;

  /** What stands from here to `end`, as much as there is room for; valid until it is called again. */
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
