import { appendFileSync } from 'node:fs';

/** A request that a client sent. `docs/proofs.md` describes the fields. */
export type Call = { client: string } & (
  | { type: 'create'; key: string; request: string; urls: string[] }
  | { type: 'click'; code: string }
  | { type: 'read' }
);

/** Result of a call. `unknown` means that the service may or may not have executed the call. */
export type CallEnd =
  | { event: 'ok'; codes?: string[]; location?: string; links?: { code: string; url: string; clicks: number }[] }
  | { event: 'fail'; status: number; error: string }
  | { event: 'unknown'; status?: number; error?: string };

/** Recording of one run as JSON lines. */
export class History {
  private readonly lines: string[] = [];
  private readonly file: string | null;
  private calls = 0;
  private ahead = 0;

  /** @param file file to which the lines are also appended, or null */
  constructor(file: string | null, start: { service: string; seed: number; quotas: Record<string, number> }) {
    this.file = file;
    this.write({ event: 'start', ...start });
  }

  /** Runs a call and records its start and its result. If `run` throws, the result is `unknown`. */
  async call<End extends CallEnd>(call: Call, run: () => Promise<End>): Promise<End | { event: 'unknown' }> {
    this.calls += 1;
    const number = this.calls;
    this.write({ event: 'invoke', call: number, ...call });
    const end = await run().catch(() => ({ event: 'unknown' as const }));
    this.write({ call: number, ...end });
    return end;
  }

  fault(fault: string, milliseconds?: number): void {
    this.write({ event: 'fault', fault, milliseconds });
  }

  /**
   * Records that the service's clock was changed. The days in all later lines of the history follow the changed
   * clock.
   *
   * @param ahead difference from this computer's clock in milliseconds
   */
  setClock(ahead: number): void {
    this.fault('clock', ahead);
    this.ahead = ahead;
  }

  /** Completes the recording and returns its text. */
  end(): string {
    this.write({ event: 'end', lines: this.lines.length + 1 });
    return this.lines.join('');
  }

  private write({ event, ...fields }: { event: string; [field: string]: unknown }): void {
    const time = Date.now();
    const day = new Date(time + this.ahead).toISOString().slice(0, 10);
    const line = `${JSON.stringify({ event, time, day, ...fields })}\n`;
    this.lines.push(line);
    if (this.file) appendFileSync(this.file, line);
  }
}
