// Checks every value of a store that does not belong to one day: the entries of markets, of slugs and of the store
// itself, and the index behind search and calendar.

import { DataError } from '../failures.ts'
import { VENUES } from '../venue.ts'
import { findingDamage } from './finding/check-finding.ts'
import { assertAudits } from './finding/stored-audits.ts'
import { assertProvenance } from './finding/stored-provenance.ts'
import { type Databases, KEY_END } from './values/databases.ts'
import { getMeta, openMarket, openSlug } from './values/stored-values.ts'

/** Returns a sentence for each damage, only once if several checks find it. */
export function valueDamage(databases: Databases): string[] {
  const damage: string[] = []
  const attempt = (read: () => void) => {
    try {
      read()
    } catch (error) {
      if (!(error instanceof DataError)) throw error
      damage.push(error.message)
    }
  }
  let markets = 0
  for (const venue of VENUES) {
    attempt(() => {
      for (const { key, value } of databases.markets.getRange({ start: [venue, ''], end: [venue, KEY_END] })) {
        markets++
        attempt(() => assertDates(databases, key as string[], value))
      }
    })
    attempt(() => void getMeta(databases, `last_record_${venue}`))
  }
  attempt(() => {
    for (const { key, value } of databases.slugs.getRange({})) attempt(() => void openSlug(key as string[], value))
  })
  attempt(() => void damage.push(...findingDamage(databases)))
  attempt(() => assertAudits(databases))
  attempt(() => assertProvenance(databases))
  attempt(() => {
    const count = getMeta<number>(databases, 'market_count') ?? 0
    if (count !== markets) damage.push(`The store counts ${count} markets, but has entries for ${markets}`)
  })
  for (const name of ['cursor_secret', 'source_order'] as const) attempt(() => void getMeta(databases, name))
  return [...new Set(damage)]
}

function assertDates({ heads }: Databases, key: string[], value: Uint8Array): void {
  const { firstDate, lastDate, dateCount } = openMarket(key, value)
  const dates = [...heads.getKeys({ start: [...key, ''], end: [...key, KEY_END] })].map(([, , date]) => date)
  if (dates.length === dateCount && dates[0] === firstDate && dates.at(-1) === lastDate) return
  const found = `${dates.length} days from ${dates[0]} to ${dates.at(-1)}`
  throw new DataError(
    'block_corrupt',
    `The entry of the ${key.join(' market ')} has ${dateCount} days from ${firstDate} to ${lastDate}, ` +
      `the store has ${found}`,
  )
}
