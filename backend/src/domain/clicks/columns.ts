/** Clicks by their fields, 25 bytes each: as objects they would take several times as much. */
export interface Columns {
  links: Float64Array;
  visitors: Float64Array;
  days: Int32Array;
  hours: Uint8Array;
  sources: Uint32Array;
}

export function makeColumns(room: number): Columns {
  return {
    links: new Float64Array(room),
    visitors: new Float64Array(room),
    days: new Int32Array(room),
    hours: new Uint8Array(room),
    sources: new Uint32Array(room),
  };
}

/** Moves what columns hold into larger ones. */
export function moveTo(larger: Columns, columns: Columns): Columns {
  larger.links.set(columns.links);
  larger.visitors.set(columns.visitors);
  larger.days.set(columns.days);
  larger.hours.set(columns.hours);
  larger.sources.set(columns.sources);
  return larger;
}

/** Above these, a link and an index would not fit into one number exactly. */
const MOST_LINKS = 2 ** 33;
const MOST_INDEXES = 2 ** 20;

/** The indexes of the first `size` clicks by day, by link, and as they came. */
export function orderOf({ days, links }: Columns, size: number): Uint32Array {
  const isOneDay = days.subarray(0, size).every((day) => day === days[0]);
  const fits = size <= MOST_INDEXES && links.subarray(0, size).every((link) => link < MOST_LINKS);
  if (isOneDay && fits) return orderOfLinks(links, size);
  const order = Uint32Array.from({ length: size }, (_, index) => index);
  return order.sort(
    (one, other) =>
      (days[one] as number) - (days[other] as number) ||
      (links[one] as number) - (links[other] as number) ||
      one - other,
  );
}

/** Numbers alone are sorted in a tenth of the time that a function which compares takes, and mostly all is of one day. */
function orderOfLinks(links: Float64Array, size: number): Uint32Array {
  const keys = new Float64Array(size);
  for (let index = 0; index < size; index += 1) keys[index] = (links[index] as number) * MOST_INDEXES + index;
  keys.sort();
  const order = new Uint32Array(size);
  for (let at = 0; at < size; at += 1) {
    const key = keys[at] as number;
    order[at] = key - Math.floor(key / MOST_INDEXES) * MOST_INDEXES;
  }
  return order;
}
