import type { InlineConfig } from 'vite';
import { ALIASES } from './aliases.ts';
import { noInnerHtml } from './no-inner-html.ts';
import { noPreload } from './no-preload.ts';

/** How sources are compiled, whatever they are made into. */
export function compiling(): InlineConfig {
  return {
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [noInnerHtml(), noPreload()],
    resolve: { alias: ALIASES },
  };
}
