/** A search for unknown failures. Each run uses a new seed. */
export interface Loop {
  /** Name for the option `--loop`. */
  name: string;
  /** Prepares the loop. Called once, before the loop's first run. */
  prepare(): Promise<void>;
  /**
   * Runs the loop once. The seed determines all random choices.
   *
   * @throws if the run could not be finished
   */
  play(seed: number): Promise<Findings>;
}

export interface Findings {
  /** Messages about broken promises to the user. */
  broken: string[];
  played: string;
}
