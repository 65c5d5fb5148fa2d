import type { Chance } from '../../../../scripts/torture/random-choices.ts';
import { createBackground } from '../../../../src/background/create-background.ts';
import { resetBrowser } from '../../support/fake-browser.ts';
import { Agenda, PendingWork } from './agenda.ts';
import { Computer } from './computer.ts';
import { abortTransactions, enter } from './globals.ts';

const START = Date.UTC(2026, 2, 28, 9, 30);

/** Virtual time in which one computer after the other uses the extension. */
export class OneComputer {
  readonly agenda = new Agenda(START);
  readonly work = new PendingWork();
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /**
   * Turns a new computer on, to which all global functions belong from now on.
   *
   * @param fetch network of the computer
   * @param onCommitted called after the disk has changed
   */
  async start(
    name: string,
    fetch: (computer: Computer, url: string, init: RequestInit) => Promise<Response>,
    onCommitted: (computer: Computer) => void = () => {},
  ): Promise<Computer> {
    const { agenda, work } = this;
    resetBrowser();
    const computer = new Computer({
      name,
      agenda,
      work,
      // The browser stops no idle worker, so that only the planned faults end it.
      chance: () => 0.9,
      create: createBackground,
      enter: (_computer, run) => run(),
      onSettled: (one) => {
        if (one.takeCommitted()) onCommitted(one);
      },
    });
    computer.gate.died = () => abortTransactions();
    enter({ computer, chance: this.#chance, work, fetch, losesSends: false });
    await computer.turnOn();
    return computer;
  }
}
