// A configuration of the recorder for a test: settings as record.toml has them, and fields that no setting changes.

import type { RecordConfig } from '../../../src/record/config/read-record-config.ts'
import { recordConfigOf } from '../../../src/record/config/read-record-config.ts'

type Table = Readonly<Record<string, unknown>>
export type ConfigTable = Table & { polymarket?: Table; kalshi?: Table }

/** A key with a capital letter, such as `pingMs`, is no setting: it replaces that field of the configuration. */
export function recordConfig({ polymarket, kalshi, ...own }: ConfigTable, folder = '.'): RecordConfig {
  const file = {
    ...settingsOf(own),
    ...(polymarket && { polymarket: settingsOf(polymarket) }),
    ...(kalshi && { kalshi: settingsOf(kalshi) }),
  }
  const made = recordConfigOf(file, { folder, variables: {}, name: 'record.toml' })
  return {
    ...made,
    ...fieldsOf(own),
    polymarket: made.polymarket && { ...made.polymarket, ...fieldsOf(polymarket!) },
    kalshi: made.kalshi && { ...made.kalshi, ...fieldsOf(kalshi!) },
  }
}

const isField = ([name]: [string, unknown]) => /[A-Z]/.test(name)
const fieldsOf = (given: Table) => Object.fromEntries(Object.entries(given).filter(isField))
const settingsOf = (given: Table) => Object.fromEntries(Object.entries(given).filter((each) => !isField(each)))
