/** A way to search for unknown failures, played repeatedly with new seeds. */
export interface Loop {
  /** Name for `--loop`. */
  name: string;
  /** Prepares what every play needs. Runs once, before the first play. */
  prepare(): Promise<void>;
  /**
   * Runs the loop once. All random choices come from the seed.
   *
   * @throws if the play could not be finished
   */
  play(seed: number): Promise<Findings>;
}

export interface Findings {
  /** Broken promises, one message each. */
  broken: string[];
  /** Short description of the play. */
  played: string;
}
