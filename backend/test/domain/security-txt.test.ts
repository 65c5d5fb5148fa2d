import { describe, expect, it } from 'vitest';
import { parseSecurityTxt } from '../../src/http/robots-and-security-txt.ts';

const CONTACT = 'Contact: mailto:security@example.com';
const EXPIRES = 'Expires: 2027-06-30T00:00:00Z';

const problems = (text: string) => {
  const read = parseSecurityTxt(text);
  return 'problems' in read ? read.problems : [];
};

describe('a security.txt', () => {
  it.each([
    [`${CONTACT}\n${EXPIRES}\n`],
    [
      `# ours\r\n\r\n${CONTACT}\r\ncontact:https://example.com/report\r\nCONTACT: tel:+1-201-555-0123\r\nexpires:\t2027-06-30t02:00:00+02:00 \r\n`,
    ],
    [`${CONTACT}\n${EXPIRES}\nPreferred-Languages: en, de\nPolicy: https://example.com/policy\nX-Own: anything`],
    [
      `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- # ours\n${CONTACT}\n${EXPIRES}\n-----BEGIN PGP SIGNATURE-----\nContact: nonsense\n-----END PGP SIGNATURE-----\n`,
    ],
  ])('that is valid is stored unchanged, with its expiry: %j', (text) => {
    expect(parseSecurityTxt(text)).toEqual({ securityTxt: { text, expiresAt: Date.UTC(2027, 5, 30) } });
  });

  const noContact = 'has no Contact, such as "Contact: mailto:security@example.com".';
  const oneExpiry = 'must have exactly one Expires, such as "Expires: 2027-06-30T00:00:00Z".';
  it.each([
    ['', [noContact, oneExpiry]],
    [`# ${CONTACT}\n${EXPIRES}`, [noContact]],
    [CONTACT, [oneExpiry]],
    [`${CONTACT}\n${EXPIRES}\n${EXPIRES}`, [oneExpiry]],
    [
      `${CONTACT}\nExpires: 30 June 2027`,
      ['has the Expires "30 June 2027", which is not a date such as 2027-06-30T00:00:00Z.'],
    ],
    [
      `${CONTACT}\nExpires: 2027-13-41T00:00:00Z`,
      ['has the Expires "2027-13-41T00:00:00Z", which is not a date such as 2027-06-30T00:00:00Z.'],
    ],
    [
      `Contact: security@example.com\n${EXPIRES}`,
      ['has the Contact "security@example.com", which is not a mailto:, tel: or https: URL.'],
    ],
    [
      `Contact: http://example.com/\n${EXPIRES}`,
      ['has the Contact "http://example.com/", which is not a mailto:, tel: or https: URL.'],
    ],
    [
      `${CONTACT}\n${EXPIRES}\nPreferred-Languages: en\nPreferred-Languages: de`,
      ['must have at most one Preferred-Languages.'],
    ],
  ])('%j is refused with the reason', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });
});
