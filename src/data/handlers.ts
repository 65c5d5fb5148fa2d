import type { Answer } from '../connecting/handlers.ts';
import type { Added } from '../storage/add-imported.ts';
import type { Settings } from '../storage/settings.ts';
import type { Contents, FileProblem } from './contents.ts';
import type { Plan } from './plan-import.ts';

/** A file that was read and held against what is here, or why it was not. */
export type Reading = { problem: FileProblem } | { name: string; contents: Contents; plan: Plan };

/** How much there is. */
export interface Usage {
  links: number;
  /** Null where the browser does not say. */
  bytes: number | null;
}

/** What the person can do with what is kept; the wiring says how. */
export interface DataHandlers {
  measure: () => Promise<Usage>;
  exportEverything: () => Promise<void>;
  exportLinks: () => Promise<void>;
  /** Reads a file; stores nothing. */
  read: (file: File) => Promise<Reading>;
  /** Adds what is new by now, all of it or nothing. `settings`: taken over from the file; null: those here stay. */
  add: (contents: Contents, settings: Settings | null) => Promise<Answer<Added>>;
  deleteEverything: () => Promise<Answer<null>>;
}
