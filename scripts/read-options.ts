import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Reads the options of a script. If one is unknown, prints the usage and ends the process. */
export function readOptions<Known extends ParseArgsOptionsConfig>(usage: string, options: Known, positionals = false) {
  try {
    return parseArgs({ options, allowPositionals: positionals }).values;
  } catch (error) {
    console.error(`${(error as Error).message}. Usage: ${usage}`);
    process.exit(1);
  }
}
