/** A test that makes random choices to find unknown bugs. Each run uses a new seed. */
export interface RandomTest {
  /** Name of the test, for the option `--test`. */
  name: string;
  /** Prepares the test. Called once before its first run. */
  prepare(): Promise<void>;
  /**
   * Runs the test once. The seed determines all random choices.
   *
   * @throws if the run could not be completed
   */
  run(seed: number): Promise<Findings>;
}

export interface Findings {
  /** One message for each problem that the run found. Empty if the run passed. */
  broken: string[];
  summary: string;
}
