import { removeTextFragment, withoutTracking } from '../../urls/remove-tracking.ts';
import type { UrlDefaults } from '../../urls/url-defaults.ts';

/** A part of a URL. `isRemoved` is true if the part is removed before sending. */
export interface AddressPart {
  text: string;
  isRemoved: boolean;
}

/** Splits a URL into the parts that are sent and the parts that are removed before sending. */
export function addressParts(address: string, { removeTracking, dropTextFragment }: UrlDefaults): AddressPart[] {
  const bare = (dropTextFragment && removeTextFragment(address)) || address;
  const [, before = '', query, after = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(bare) ?? [];
  const hasTracking = removeTracking && withoutTracking(bare).removed.length > 0;
  const isTracking = (part: string) => hasTracking && withoutTracking(`?${part}`).removed.length > 0;
  const parameters = (query?.split('&') ?? []).map((part) => ({ part, isRemoved: isTracking(part) }));
  const firstSent = parameters.findIndex(({ isRemoved }) => !isRemoved);
  const parts = [
    { text: before, isRemoved: false },
    ...parameters.map(({ part, isRemoved }, index) => {
      const isFirst = index === (isRemoved ? 0 : firstSent);
      return { text: `${isFirst ? '?' : '&'}${part}`, isRemoved };
    }),
    { text: after, isRemoved: false },
    { text: address.slice(bare.length), isRemoved: true },
  ];
  return parts.filter(({ text }) => text !== '');
}
