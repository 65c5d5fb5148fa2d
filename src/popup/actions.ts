/** What the popup can do; the wiring says how. */
export interface Actions {
  /** Mints an id and asks for a short URL. */
  shorten: (url: string, title: string) => void;
  /** Asks again for what went unanswered, by the same id. */
  askAgain: () => void;
  /** Back from a typed URL to the page. */
  leaveWish: () => void;
  cancel: (id: string) => void;
  retry: (id: string) => void;
  /** Drops what stands in the queue's way and tries now. */
  resume: () => void;
  /** Asks the browser for access to the service, then resumes. */
  allowService: (baseUrl: string) => void;
  /** Takes what went wrong off the page. */
  dismiss: () => void;
  openOptions: () => void;
  openLinks: () => void;
  open: (url: string) => void;
}
