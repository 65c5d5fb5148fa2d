import type { Link } from '../queue/types.ts';
import type { ResultForm } from './result.ts';

/** What the page can do; `use-many-handlers.ts` says how. Called inside the click, so that permission can be asked for. */
export interface ManyHandlers {
  /** Adds what stands in a text. Whether it was taken; why not, is shown. */
  addText: (text: string) => boolean;
  /** Adds what is pasted or dropped. Whether there was anything to add. */
  addTransfer: (transfer: DataTransfer) => boolean;
  addFiles: (files: File[]) => void;
  addTabs: () => void;
  addSelectedTabs: () => void;
  addSelection: () => void;
  /** Sends what is chosen of the list as one group. */
  send: () => void;
  /** Cancels requests that wait, or dismisses those that ended. */
  cancel: (ids: string[]) => void;
  /** Sends a failed or uncertain request again. */
  retry: (id: string) => void;
  /** Begins another list, or goes back to what is left of this one. */
  backToList: () => void;
  copyText: (text: string) => void;
  copyResult: (form: ResultForm, links: Link[]) => void;
  choose: (connectionId: string) => void;
  dismiss: () => void;
  openOptions: () => void;
  openQueue: () => void;
  openLinks: () => void;
}
