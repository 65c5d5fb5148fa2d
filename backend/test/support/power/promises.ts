/** Response that a process sent to a client. */
export interface Answer {
  /** Position among the system calls. Infinity if the response was never sent. */
  at: number;
}

/** A link, with the responses of the service about it. */
export interface PromisedLink {
  code: string;
  /** URL of the link after each request that created, edited or deleted it, in order. Null means deleted. */
  versions: { url: string | null; answer: Answer }[];
  /** Redirects of visitors, in order. */
  clicks: Answer[];
  /** Numbers of clicks that the service had saved on the disk when it exited. */
  savedClicks: { count: number; answer: Answer }[];
}

/** Positions of a command's start and of the first power cut after the command has succeeded. */
export interface CommandSpan {
  start: number;
  end: number;
}

/** An API key, and the commands that created and revoked it. */
export interface PromisedKey {
  text: string;
  created: CommandSpan;
  revoked: CommandSpan;
}

/** All responses and command results that clients got during a recording, with their positions. */
export interface Promises {
  links: PromisedLink[];
  keys: PromisedKey[];
}

export const NEVER: Answer = { at: Number.POSITIVE_INFINITY };

/** Returns the responses after which a link or click count must not be lost. */
export function answersIn({ links }: Promises): Answer[] {
  return links.flatMap(({ versions, savedClicks }) => [...versions, ...savedClicks].map(({ answer }) => answer));
}

/** Returns the number of responses that were sent before a position. */
export function countAnswered(answers: Answer[], at: number): number {
  return answers.filter((answer) => answer.at < at).length;
}
