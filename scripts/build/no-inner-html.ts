import type { Plugin } from 'vite';

/**
 * Takes the one assignment to `innerHTML` out of preact (its `dangerouslySetInnerHTML`, which no page here uses), so
 * that what ships has no way to parse markup from a string. Fails the build where preact no longer looks as expected.
 */
export function noInnerHtml(): Plugin {
  return {
    name: 'terse:no-inner-html',
    enforce: 'pre',
    transform: {
      filter: { id: /\/preact\/dist\/preact\.mjs$/ },
      handler(code) {
        const safe = code.replace(/\b\w+\.innerHTML=(?!=)[\w.]+/, 'void 0');
        if (safe === code) this.error('preact has no assignment to innerHTML any more: remove this transform');
        return { code: safe, map: null };
      },
    },
  };
}
