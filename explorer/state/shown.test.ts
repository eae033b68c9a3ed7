// Tests which time a view shows if its address has none, and the instant of its book.

import { expect, test } from 'bun:test'
import { closeOf, lastDays, shownSpan } from './shown.ts'

const at = (text: string) => Date.parse(`2026-08-${text}Z`)
const day = { date: '2026-08-10', first_timestamp: at('10T23:45:00'), last_timestamp: at('10T23:59:59') }
const moment = { date: '2026-08-11', first_timestamp: at('11T00:00:00'), last_timestamp: at('11T00:00:00.800') }
const unsaid = { fromMs: null, toMs: null, atMs: null } as Parameters<typeof shownSpan>[0]

test('a market whose last day is a moment opens on the day before', () => {
  expect(shownSpan(unsaid, [day, moment])).toMatchObject({ toMs: at('11T00:00:00') })
  expect(shownSpan(unsaid, [moment])).toMatchObject({ fromMs: at('11T00:00:00') })
})

test('the book is that at the end of the visible span, or at the last record before the end', () => {
  const dates = [day, moment]
  expect(closeOf(dates, { fromMs: at('10T23:46:00'), toMs: at('10T23:47:00') })).toBe(at('10T23:47:00'))
  expect(closeOf(dates, { fromMs: at('10T23:46:00'), toMs: at('12T00:00:00') })).toBe(at('11T00:00:00.800'))
  expect(closeOf(dates, { fromMs: at('09T00:00:00'), toMs: at('10T00:00:00') })).toBeNull()
})

test('the last days are whole days up to the last day shown, within the stored dates', () => {
  const dates = ['01', '05', '20'].map((date) => ({ date: `2026-08-${date}`, first_timestamp: 0, last_timestamp: 0 }))
  const of = (shown: string, days?: number) =>
    [lastDays(dates, { fromMs: 0, toMs: at(`${shown}T12:00:00`) }, days)]
      .flatMap(({ fromMs, toMs }) => [fromMs, toMs])
      .map((ms) => new Date(ms).toJSON().slice(5, 10))
  expect(of('20', 7)).toEqual(['08-14', '08-21'])
  expect(of('05', 7)).toEqual(['08-01', '08-06'])
  expect(of('25', 7)).toEqual(['08-14', '08-21'])
  expect(of('05')).toEqual(['08-01', '08-21'])
})
