import { describe, expect, it } from 'vitest';
import { type DateOrder, ordersIn, readDate } from '../../src/import/dates.ts';

const day = (text: string, order: DateOrder | null = null) => {
  const instant = readDate(text, order);
  return typeof instant === 'number' ? new Date(instant).toISOString() : instant;
};

describe('a date of an import', () => {
  it.each([
    ['2021-04-15', '2021-04-15T00:00:00.000Z'],
    ['2021/4/5 9:05', '2021-04-05T09:05:00.000Z'],
    ['2021.04.15', '2021-04-15T00:00:00.000Z'],
    ['2021-04-15T10:11:12.345678+02', '2021-04-15T08:11:12.345Z'],
    ['2021-04-15 10:11:12,5 +0130', '2021-04-15T08:41:12.500Z'],
    ['2021-04-15 10:11:12 UTC', '2021-04-15T10:11:12.000Z'],
    ['4/15/2021 10:11', '2021-04-15T10:11:00.000Z'],
    ['4/15/2021, 12:11:30 AM', '2021-04-15T00:11:30.000Z'],
    ['4/15/2021 1:11\u202fPM', '2021-04-15T13:11:00.000Z'],
    ['15.04.2021', '2021-04-15T00:00:00.000Z'],
    ['15-04-2021 10:11:12', '2021-04-15T10:11:12.000Z'],
    ['04/04/2021', '2021-04-04T00:00:00.000Z'],
    ['1618481472', '2021-04-15T10:11:12.000Z'],
    ['1618481472000', '2021-04-15T10:11:12.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s is read as %s', (text, instant) => expect(day(text)).toBe(instant));

  it.each(['', 'null', '\\N', 'never', '0', '0000-00-00 00:00:00'])('%j means that there is none', (text) => {
    expect(day(text)).toBeNull();
  });

  it.each([
    ...['soon', '15/04/21', '2021-13-01', '2021-02-29', '31/04/2021', '13/13/2021', '44301', '0/5/2021'],
    ...['20210415', '20210415101112', '99999999999999'],
    ...['2021-04-15 25:00', '2021-04-15 10:11:12 Mars', '15 Apr 2021', '2021-04-15x', '4/15-2021', '04.05.2021'],
  ])('%j is not read', (text) => expect(day(text)).toBe('invalid'));

  it('with day and month up to 12 is read in the order that is known', () => {
    expect(day('04/05/2021', 'day-month')).toBe('2021-05-04T00:00:00.000Z');
    expect(day('04/05/2021', 'month-day')).toBe('2021-04-05T00:00:00.000Z');
  });
});

describe('the order of day and month', () => {
  it('is settled by each day above 12 at the start of a cell', () => {
    expect(ordersIn('a,04/05/2021,x\nb,"13/05/2021 10:11"\n')).toEqual(['day-month']);
    expect(ordersIn('{"at":"05.13.2021"}\n04.05.2021;31-12-2020')).toEqual(['month-day', 'day-month']);
  });

  it('is not settled by other text', () => {
    expect(ordersIn('04/05/2021,2021-05-13,13/13/2021,https://a.example/31/12/2021,1.13.99')).toEqual([]);
  });
});
