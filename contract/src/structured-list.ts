/** A member of a list that is a string, with its parameters. */
export interface NamedItem {
  /** As it stands between its quotes, where `"` and `\` are escaped by a `\`. */
  name: string;
  /** The parameters' values; NaN for one that is no number. */
  numbers: Map<string, number>;
}

// The grammar of RFC 9651, sections 3.1 to 3.3. What is of no use here is known all the same: a list that has some of it
// is still a list.
const KEY = '[a-z*][a-z0-9_.*-]*';
const STRING = String.raw`"(?:[ !#-[\]-~]|\\["\\])*"`;
const NUMBER = String.raw`-?(?:\d{1,12}\.\d{1,3}|\d{1,15})`;
const TOKEN = "[A-Za-z*][A-Za-z0-9:/!#$%&'*+.^_`|~-]*";
const BYTES = ':[A-Za-z0-9+/=]*:';
const BOOLEAN = String.raw`\?[01]`;
const DATE = String.raw`@-?\d{1,15}`;
const DISPLAY_STRING = '%"(?:[ !#$&-~]|%[0-9a-f]{2})*"';
const VALUE = `(?:${[STRING, NUMBER, TOKEN, BYTES, BOOLEAN, DATE, DISPLAY_STRING].join('|')})`;
const PARAMETERS = `(?:; *${KEY}(?:=${VALUE})?)*`;
const ITEM = VALUE + PARAMETERS;
const INNER_LIST = String.raw`\( *(?:${ITEM}(?: +${ITEM})* *)?\)` + PARAMETERS;
const MEMBER = `(?:${ITEM}|${INNER_LIST})`;

const LIST = new RegExp(String.raw`^ *(?:${MEMBER}(?:[ \t]*,[ \t]*${MEMBER})*[ \t]*)?$`);
const MEMBERS = new RegExp(`(${STRING})(${PARAMETERS})|${MEMBER}`, 'g');
const PARAMETER = new RegExp(`; *(${KEY})(?:=(?:(${NUMBER})|${VALUE}))?`, 'g');

/** Reads the members of a list (RFC 9651) that are strings; none where the text is no list. */
export function namedItems(list: string): NamedItem[] {
  if (!LIST.test(list)) return [];
  return [...list.matchAll(MEMBERS)].flatMap(([, name, parameters = '']) =>
    name === undefined ? [] : [{ name: name.slice(1, -1), numbers: numbersIn(parameters) }],
  );
}

/** Of two parameters of one name the last one counts, whatever it is. */
function numbersIn(parameters: string): Map<string, number> {
  return new Map(Array.from(parameters.matchAll(PARAMETER), ([, key = '', number]) => [key, Number(number)]));
}
