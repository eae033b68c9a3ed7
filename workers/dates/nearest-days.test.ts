// Finds the nearest day of a market in the store, as if the days of the plan were already changed.

import { expect, test } from 'bun:test'
import type { StoredDay } from '../../storage/catalogue.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { NearestDays } from './nearest-days.ts'

const head = (source?: string) => ({ ...(source && { source }) }) as PartitionHead
const dateOf = (day: number) => `2026-08-${String(day).padStart(2, '0')}`
const key = (day: number) => ({ venue: 'kalshi', market: 'KX', date: dateOf(day) }) as const

function catalogueOf(days: Record<number, string | undefined>) {
  const stored = Object.entries(days).map(
    ([day, source]): StoredDay => ({ date: dateOf(Number(day)), head: head(source) }),
  )
  const lookups: string[] = []
  const neighbour = async ({ date }: { date: string }, direction: 'before' | 'after') => {
    lookups.push(`${direction} ${date}`)
    return direction === 'before' ? stored.findLast((day) => day.date < date) : stored.find((day) => day.date > date)
  }
  return { neighbour, lookups }
}

const around = async (days: NearestDays, day: number, source?: string | null) => {
  const found = await Promise.all((['before', 'after'] as const).map((way) => days.beside(key(day), way, source)))
  return found.map((each) => each && Number(each.date.slice(-2)))
}

test('finds stored days, and days of the plan if none is stored', async () => {
  const catalogue = catalogueOf({ 1: undefined, 3: undefined, 6: undefined })
  expect(await around(new NearestDays(catalogue, new Map()), 3)).toEqual([1, 6])
  expect(await around(new NearestDays(catalogue, new Map()), 1)).toEqual([undefined, 3])
  expect(await around(new NearestDays(undefined, new Map([[dateOf(2), { head: head() }]])), 3)).toEqual([2, undefined])
})

test('days that the plan adds count, and those that it removes do not', async () => {
  const changes = new Map([
    [dateOf(4), { head: head() }],
    [dateOf(6), { head: null }],
  ])
  const days = new NearestDays(catalogueOf({ 1: undefined, 6: undefined, 7: undefined }), changes)
  expect(await around(days, 5)).toEqual([4, 7])
  changes.set(dateOf(7), { head: null })
  changes.set(dateOf(2), { head: head() })
  expect(await around(days, 4)).toEqual([2, undefined])
})

test('days of a source only', async () => {
  const days = new NearestDays(
    catalogueOf({ 1: 'a', 2: 'b', 4: 'b', 5: 'a' }),
    new Map([[dateOf(2), { head: head('a') }]]),
  )
  expect(await around(days, 3, 'a')).toEqual([2, 5])
  expect(await around(days, 3, 'b')).toEqual([undefined, 4])
  expect(await around(days, 3, null)).toEqual([undefined, undefined])
})

test('a stored day is read once', async () => {
  const catalogue = catalogueOf({ 1: undefined, 6: undefined })
  const days = new NearestDays(catalogue, new Map())
  for (let i = 0; i < 3; i++) await around(days, 3)
  expect(catalogue.lookups).toEqual([`before ${dateOf(3)}`, `after ${dateOf(3)}`])
})
