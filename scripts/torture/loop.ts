/** One way to look for failures that nobody has seen yet, played over and over with new seeds. */
export interface Loop {
  /** As `--loop` names it. */
  name: string;
  /** Makes what every play needs, once, before the first. */
  prepare(): Promise<void>;
  /**
   * Plays once; whatever is left to chance is drawn from the seed.
   *
   * @throws where it could not be played to its end
   */
  play(seed: number): Promise<Findings>;
}

export interface Findings {
  /** What was found wrong, a sentence each; nothing where every promise was kept. */
  broken: string[];
  /** What was played, in a few words. */
  played: string;
}
