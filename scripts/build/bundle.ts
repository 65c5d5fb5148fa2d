import { join } from 'node:path';
import { minify } from 'terser';
import { build, type InlineConfig, mergeConfig, type ResolvedConfig, type Rolldown } from 'vite';
import { compiling } from './compiling.ts';

/** A script of the build, made of one source and all it imports. */
export interface Entry {
  source: string;
  script: string;
}

/** What imports nothing of ours comes out the same from every bundle, under the same name: the package holds it once. */
const LIBRARY = { name: 'uqr', test: /\/node_modules\/uqr\//, priority: 1 };

/**
 * Bundles sources by themselves: the script of each, one more of all that several of them use, and those that are loaded
 * when they are asked for. Nothing is written.
 */
export async function bundle(
  root: string,
  target: ResolvedConfig['build']['target'],
  entries: Entry[],
): Promise<Rolldown.OutputChunk[]> {
  const scripts = new Map(entries.map(({ source, script }) => [join(root, source), script]));
  const result = await build(
    mergeConfig(compiling(), {
      configFile: false,
      root,
      publicDir: false,
      logLevel: 'warn',
      build: {
        write: false,
        modulePreload: false,
        target,
        rolldownOptions: {
          input: [...scripts.keys()],
          output: {
            entryFileNames: ({ facadeModuleId }) => scripts.get(facadeModuleId ?? '') ?? '[name].js',
            // What is loaded on demand imports from the script that asks for it, so each script has its own: hence the hash.
            chunkFileNames: 'a/[name]-[hash:6].js',
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                LIBRARY,
                // One that is alone has nobody to share with: what it loads later uses its own script.
                ...(entries.length === 1 ? [] : [{ name: sharedScript, minShareCount: 2 }]),
              ],
            },
          },
        },
      },
    } satisfies InlineConfig),
  );
  const { output } = result as Rolldown.RolldownOutput;
  const chunks = output.filter((file) => file.type === 'chunk');
  return Promise.all(chunks.map(async (chunk) => ({ ...chunk, code: await smaller(chunk.code) })));
}

/** What several use is in one script, and what they use later in another: nothing that a page may never need is loaded with it. */
function sharedScript(module: string, context: Pick<Rolldown.PluginContext, 'getModuleInfo'>): string {
  const loadedAtOnce = (id: string, seen: Set<string>): boolean => {
    const info = seen.has(id) ? null : context.getModuleInfo(id);
    seen.add(id);
    // What it hands out is used again in the next look-up.
    const importers = [...(info?.importers ?? [])];
    return info?.isEntry === true || importers.some((importer) => loadedAtOnce(importer, seen));
  };
  return loadedAtOnce(module, new Set()) ? 'shared' : 'late';
}

/** What is called once, or is never used, goes only when the bundler's own small code is looked at again; the options pack best. */
async function smaller(code: string): Promise<string> {
  const { code: smaller } = await minify(code, {
    module: true,
    ecma: 2020,
    compress: { passes: 3, hoist_funs: true, lhs_constants: false },
  });
  return smaller ?? code;
}
