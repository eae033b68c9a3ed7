// Checks every row that does not belong to one day, and the rows against each other. Writers may be active, so only
// damage that every pass over the rows finds is reported.

import { DataError } from '../../failures.ts'
import { VENUES } from '../../venue.ts'
import { openSlug } from '../catalogue/row-catalogue.ts'
import { openDays, openKnown, openName } from '../finding/index-change.ts'
import { openDescription } from '../finding/metadata-rows.ts'
import { openPart } from '../finding/postings.ts'
import { openAudits } from '../finding/row-finding.ts'
import { openLoad } from '../finding/row-provenance.ts'
import { below, type RowKind } from '../keys.ts'
import { openMarket } from '../market-rows.ts'
import { pagesOf, type RowKey, type Rows } from '../rows.ts'
import { countMarkets } from '../shared-rows.ts'
import { openStoreValue } from '../store-values.ts'
import { dayDamage, type VenueDays } from './day-damage.ts'

const LOOKS = 3

/** Returns a sentence for each damage, only once if several checks find it. */
export async function rowDamage(rows: Rows): Promise<string[]> {
  let damage = await damageNow(rows)
  for (let look = 2; look <= LOOKS && damage.length > 0; look++) {
    rows.refresh()
    const again = new Set(await damageNow(rows))
    damage = damage.filter((sentence) => again.has(sentence))
  }
  return damage
}

async function damageNow(rows: Rows): Promise<string[]> {
  const damage = new Set<string>()
  let markets = 0
  for (const venue of VENUES) {
    const days: VenueDays = new Map()
    await attempt(damage, () => dayDamage(rows, venue, days, damage))
    for (const { dates } of days.values()) if (dates.length > 0) markets++
  }
  await openAll(rows, 'r', openMarket, damage)
  await openAll(rows, 'c', openDescription, damage)
  await openAll(rows, 'e', openDescription, damage)
  await openAll(rows, 'k', openKnown, damage)
  await openAll(rows, 'n', openName, damage)
  await openAll(rows, 't', openDays, damage)
  await openAll(rows, 'w', openPart, damage)
  await openAll(rows, 'u', openAudits, damage)
  await openAll(rows, 'l', openLoad, damage)
  await openAll(rows, 'g', openSlug, damage)
  await openAll(rows, 'z', openStoreValue, damage)
  await attempt(damage, async () => {
    const count = await countMarkets(rows)
    if (count !== markets) damage.add(`The store counts ${count} markets, but has entries for ${markets}`)
  })
  return [...damage]
}

async function openAll(
  rows: Rows,
  kind: RowKind,
  open: (key: RowKey, value: Uint8Array) => unknown,
  damage: Set<string>,
) {
  for await (const page of pagesOf(rows, below(kind))) {
    for (const { key, value } of page) await attempt(damage, async () => void open(key, value))
  }
}

/** Runs `check`, and adds the damage that it throws. */
async function attempt(damage: Set<string>, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof DataError && error.code === 'block_corrupt')) throw error
    damage.add(error.message)
  }
}
