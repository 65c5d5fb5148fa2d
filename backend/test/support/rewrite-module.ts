import { registerHooks } from 'node:module';

/**
 * Has one module of the program loaded with a part of its text rewritten, for files that are loaded before the program
 * (`node --import`).
 *
 * @param ending what its address ends with
 * @param part what is rewritten. It throws where that is not there, since the program would run unchanged
 */
export function rewriteModule(ending: string, part: RegExp, rewrite: (source: string) => string): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(ending)) return loaded;
      const source = String(loaded.source);
      if (!part.test(source)) throw new Error(`${ending} is not written as it was.`);
      return { ...loaded, source: rewrite(source) };
    },
  });
}
