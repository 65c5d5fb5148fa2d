/** A search for unknown failures. Each run uses a new seed. */
export interface Loop {
  /** Name of the loop, for the option `--loop`. */
  name: string;
  /** Prepares the loop. Called once before its first run. */
  prepare(): Promise<void>;
  /**
   * Runs the loop once. The seed determines all random choices.
   *
   * @throws if the run could not be completed
   */
  play(seed: number): Promise<Findings>;
}

export interface Findings {
  /** Messages that describe broken promises to the user. */
  broken: string[];
  played: string;
}
