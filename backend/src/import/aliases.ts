import { codeInPath, foldCode } from '../domain/links/short-codes.ts';
import { domainAt } from '../domain/links/short-domains.ts';
import type { SourceLink } from './record-to-link.ts';
import type { ImportRules } from './validate-imported-link.ts';

/** Final target of a short URL of the file. */
export type AliasTarget = Pick<SourceLink, 'url' | 'expiresAt'>;

/** Final targets of the short URLs to which other links of the file lead, by the host and code of the short URL. */
export type AliasTargets = readonly [key: string, target: AliasTarget][];

/** Maximum number of links that lead to each other before the final target is reached. */
const MAX_CHAIN = 20;

/**
 * Collects the links that lead to another short URL of the same domain. `find` reads the links of the file again and
 * returns the final targets of these links. Targets that cannot be imported are left out.
 */
export function createAliases(rules: ImportRules) {
  /** Short URLs that lead to another short URL, and the latter. */
  const next = new Map<string, string>();
  const wanted = new Set<string>();

  function finalKey(start: string): string {
    let key = start;
    for (let step = 0; step < MAX_CHAIN; step += 1) key = next.get(key) ?? key;
    return key;
  }

  return {
    add(link: SourceLink): void {
      const target = aliasKey(link, rules);
      if (target === null) return;
      wanted.add(target);
      const key = linkKey(link, rules);
      if (key !== null && !next.has(key)) next.set(key, target);
    },
    /** @param importable all links of the file that can be imported */
    async find(importable: () => AsyncIterable<SourceLink>): Promise<AliasTargets> {
      const found = new Map<string, AliasTarget>();
      if (wanted.size === 0) return [];
      for await (const link of importable()) {
        const key = linkKey(link, rules);
        if (key !== null && wanted.has(key) && !next.has(key) && !found.has(key)) found.set(key, link);
      }
      const targets = [...wanted].map((key) => [key, found.get(finalKey(key))] as const);
      return targets.flatMap(([key, link]) =>
        link ? [[key, { url: link.url, expiresAt: link.expiresAt }] as const] : [],
      );
    },
  };
}

/**
 * Returns the link with its final target if the link leads to another short URL of the same domain. An alias expires
 * together with its target.
 */
export function withFinalTarget(
  link: SourceLink,
  targets: ReadonlyMap<string, AliasTarget>,
  rules: ImportRules,
): SourceLink {
  const key = aliasKey(link, rules);
  if (key === null) return link;
  const target = targets.get(key);
  if (target) return { ...link, url: target.url, expiresAt: earlier(link.expiresAt, target.expiresAt) };
  const isOwn = domainAt(new URL(link.url).hostname, rules.shortBaseUrls) !== '';
  return isOwn ? { ...link, exclusion: link.exclusion ?? 'alias' } : { ...link, losses: [...link.losses, 'alias'] };
}

function earlier(one: SourceLink['expiresAt'], other: SourceLink['expiresAt']): SourceLink['expiresAt'] {
  if (one === 'invalid' || other === null) return one;
  return one === null || other === 'invalid' ? other : Math.min(one, other);
}

/** Returns the key of the short URL to which a link leads. Returns null if the link leads to any other URL. */
function aliasKey({ url: target, domain }: SourceLink, rules: ImportRules): string | null {
  const url = URL.parse(target);
  if (!url || url.search || url.hash) return null;
  if (url.hostname !== domain && domainAt(url.hostname, rules.shortBaseUrls) === '') return null;
  const code = codeInPath(url.pathname.slice(1));
  return code === null ? null : keyOf(url.hostname, code, rules);
}

/** Returns the key of a link's own short URL. A link without a domain belongs to the default domain of this service. */
function linkKey({ domain, code }: SourceLink, rules: ImportRules): string | null {
  return code === null ? null : keyOf(domain ?? new URL(rules.shortBaseUrls[0]).hostname, code, rules);
}

function keyOf(host: string, code: string, { foldsCase }: ImportRules): string {
  return `${host}/${foldsCase ? foldCode(code) : code}`;
}
