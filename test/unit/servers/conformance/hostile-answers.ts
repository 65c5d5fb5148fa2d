import { floods, hangsUp, type Manner, says } from '../misbehaving-server.ts';

/** Answers that a gateway, a login page or a broken server sends to all requests, with a create's expected result. */
export const PAGES: [name: string, gateway: Manner, create: string][] = [
  ['a page', says(200, '<h1>Log in to the hotel</h1>'), 'unclear'],
  ['nothing (204)', says(204), 'unclear'],
  ['a redirect', says(302, '', { location: 'https://login.example/' }), 'not_made'],
  ['a refusal as a page (403)', says(403, '<h1>Blocked</h1>'), 'not_made'],
  ['no such page (404)', says(404, '<h1>Not found</h1>'), 'not_made'],
  ['an error of a gateway (502)', says(502, '<h1>Bad gateway</h1>'), 'unclear'],
  ['no answer', hangsUp, 'unclear'],
];

/** JSON that no server of any kind sends. */
export const JSON_OF_OTHERS: [name: string, gateway: Manner, create: string][] = [
  ['truncated JSON', says(200, '{"link":"https://s.example/a","shorturl":"https://s'), 'unclear'],
  ['null', says(200, 'null'), 'unclear'],
  ['an empty list', says(200, []), 'unclear'],
  ['an empty object', says(200, {}), 'unclear'],
  ['fields of the wrong types', says(200, wrongTypes()), 'unclear'],
  ['short URLs that are scripts', says(200, scripts()), 'unclear'],
  ['an endless body', floods, 'unclear'],
];

/** Answers to a probe that do not come from a server of this kind, with the allowed results. */
export const NO_SERVER: [name: string, gateway: Manner, problems: string[]][] = [
  ['a page', says(200, '<h1>Maintenance</h1>'), ['reached', 'unavailable']],
  ['a redirect', says(302, '', { location: 'https://login.example/' }), ['redirected', 'reached']],
  ['an error of a gateway', says(502, '<h1>Bad gateway</h1>'), ['unavailable']],
  ['a closed connection', hangsUp, ['unreachable']],
  ['JSON of another kind', says(200, wrongTypes()), ['reached', 'unavailable']],
];

/** Returns all fields that the servers send, each with a type that the field never has. */
function wrongTypes(): object {
  const link = { shortUrl: 5, shortCode: [], longUrl: {}, slug: 1, id: {}, address: 2, url: 3, shorturl: false };
  return { ...link, link, status: 7, success: 'yes', data: link, shortUrls: [], links: 4, shortLink: null };
}

/** Returns short URLs that would run a script if they were opened. */
function scripts(): object {
  const evil = 'javascript:alert(1)';
  const link = { shortUrl: evil, link: evil, shorturl: evil, shortLink: evil, shortCode: 'abc', slug: 'abc' };
  return { ...link, address: 'abc', success: true, error: false, status: 'success', url: { keyword: 'abc' } };
}

/** Answers of a gateway or a server that limits requests. */
export const TOO_MANY: [name: string, gateway: Manner][] = [
  ['a page', says(429, '<h1>Too many requests</h1>', { 'retry-after': '5' })],
  ['JSON', says(429, { error: 'Too many requests', message: 'Too many requests' }, { 'retry-after': '5' })],
];
