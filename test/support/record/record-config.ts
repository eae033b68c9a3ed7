// Makes a configuration of the recorder for a test, from settings of record.toml and from fields for which
// record.toml has no setting.

import type { RecordConfig } from '../../../src/record/venues/read-record-config.ts'
import { recordConfigOf } from '../../../src/record/venues/read-record-config.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'

type Table = Readonly<Record<string, unknown>>
export type ConfigTable = Table & { [Name in Venue]?: Table }

/** Returns the configuration. A key with a capital letter, such as `pingMs`, is not a setting: it replaces that field
 *  of the configuration. */
export function recordConfig(table: ConfigTable, folder = '.'): RecordConfig {
  const given = VENUES.filter((venue) => table[venue] !== undefined)
  const eachOf = <T>(of: (venue: Venue) => T) => Object.fromEntries(given.map((venue) => [venue, of(venue)]))
  const own = Object.fromEntries(Object.entries(table).filter(([name]) => !VENUES.some((venue) => venue === name)))
  const file = { ...settingsOf(own), ...eachOf((venue) => settingsOf(table[venue]!)) }
  const made = recordConfigOf(file, { folder, variables: {}, name: 'record.toml' })
  return { ...made, ...fieldsOf(own), ...eachOf((venue) => ({ ...made[venue], ...fieldsOf(table[venue]!) })) }
}

const isField = ([name]: [string, unknown]) => /[A-Z]/.test(name)
const fieldsOf = (given: Table) => Object.fromEntries(Object.entries(given).filter(isField))
const settingsOf = (given: Table) => Object.fromEntries(Object.entries(given).filter((each) => !isField(each)))
