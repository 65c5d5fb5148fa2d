import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';

const ARCHITECTURE = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');

/** Returns the files that docs/architecture.md lists for a flow, sorted by path. */
export function listedFiles(title: string): string[] {
  const [, flow = ''] = ARCHITECTURE.split(`**${title}**`);
  const [list = ''] = /(?:^(?:\d+\.| {2}) .*\n)+/m.exec(flow) ?? [];
  const files = [...list.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, file = '']) => file);
  return [...new Set(files)].sort();
}

/** Returns the functions that ran, without the code that runs while a file is loaded. */
export function calledFunctions({ functions }: Profiler.ScriptCoverage): Profiler.FunctionCoverage[] {
  return functions.filter(({ ranges: [range] }) => range && range.startOffset > 0 && range.count > 0);
}
