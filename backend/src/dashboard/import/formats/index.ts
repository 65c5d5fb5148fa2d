import { bitly, bitlyCsv } from './bitly.ts';
import { chhoto } from './chhoto.ts';
import { dub } from './dub.ts';
import type { Format } from './format.ts';
import { kutt } from './kutt.ts';
import { lynx } from './lynx.ts';
import { polr } from './polr.ts';
import { rebrandly } from './rebrandly.ts';
import { shlinkApi, shlinkCsv } from './shlink.ts';
import { shortio } from './shortio.ts';
import { sink } from './sink.ts';
import { anyTable, terse } from './table.ts';
import { tinyurl } from './tinyurl.ts';
import { tly } from './tly.ts';
import { yourls, yourlsPluginCsv, yourlsPluginFeed, yourlsPluginXml } from './yourls.ts';

/** Where two formats have fields in common, the one that asks for more comes first. */
const FORMATS: readonly Format[] = [
  terse,
  polr,
  tly,
  bitly,
  bitlyCsv,
  kutt,
  shlinkApi,
  shlinkCsv,
  tinyurl,
  yourls,
  yourlsPluginCsv,
  yourlsPluginXml,
  yourlsPluginFeed,
  dub,
  lynx,
  sink,
  rebrandly,
  shortio,
  chhoto,
  anyTable,
];

/** The format that a file's fields show; null where they name no long URLs. */
export function recognise(fields: ReadonlySet<string>): Format | null {
  return FORMATS.find(({ signs }) => signs.some((names) => names.every((name) => fields.has(name)))) ?? null;
}
