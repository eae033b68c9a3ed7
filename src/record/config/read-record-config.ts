// Reads record.toml, checks all of it, and makes the configuration of it.

import { hostname } from 'node:os'
import { dirname } from 'node:path'
import type { TObject, TSchema } from '@sinclair/typebox'
import { Errors, ValueErrorType } from '@sinclair/typebox/errors'
import { ConfigError } from '../../config/config-error.ts'
import { readConfigFile } from '../../config/config-file.ts'
import { similarName } from '../../config/similar-name.ts'
import { kalshiConfig } from './kalshi-config.ts'
import { KALSHI_SETTINGS } from './kalshi-settings.ts'
import { polymarketConfig } from './polymarket-config.ts'
import { POLYMARKET_SETTINGS } from './polymarket-settings.ts'
import type { RecordConfig } from './record-config.ts'
import { RECORDER_SETTINGS } from './recorder-settings.ts'
import type { Words } from './setting-kinds.ts'

/** The sections of the file, by name. */
export const SECTIONS = { polymarket: POLYMARKET_SETTINGS, kalshi: KALSHI_SETTINGS } as const
type Table = Readonly<Record<string, unknown>>
type Surroundings = {
  /** The environment's variables. */
  variables?: Readonly<Record<string, string | undefined>>
}

const SLIPS_MAX = 2
/** How often segments are written to the disk. */
const FLUSH_MS = 1_000
const WRITE_QUEUE_BYTES_MAX = 64 * 2 ** 20

/** TOML, or JSON where its name says so. Throws ConfigError with everything that is wrong, in one line. */
export function readRecordConfig(path: string, { variables = process.env }: Surroundings = {}): RecordConfig {
  const { values } = readConfigFile(path)
  return recordConfigOf(values, { folder: dirname(path), variables, name: path })
}

type Origin = { folder: string; variables: Readonly<Record<string, string | undefined>>; name: string }

/** Throws ConfigError. */
export function recordConfigOf(given: Table, origin: Origin): RecordConfig {
  const { polymarket, kalshi, ...own } = given
  const wrong: string[] = []
  const recorder = valuesOf(RECORDER_SETTINGS, own, { section: null, wrong, others: Object.keys(SECTIONS) })
  const sections = Object.entries({ polymarket, kalshi }).map(([section, table]) => {
    if (table === undefined) return null
    if (!isTable(table)) wrong.push(`${section} must be a section of settings, got ${JSON.stringify(table)}`)
    return isTable(table) ? valuesOf(SECTIONS[section as keyof typeof SECTIONS], table, { section, wrong }) : null
  })
  if (polymarket === undefined && kalshi === undefined) wrong.push('no venue is named: add [polymarket] or [kalshi]')
  if (wrong.length > 0) throw new ConfigError(`${origin.name}: ${wrong.join('; ')}`)
  try {
    return Object.freeze({
      recorderId: recorder.recorder_id ?? machineName(),
      group: recorder.group ?? 'main',
      commitMs: recorder.commit_seconds * 1_000,
      flushMs: FLUSH_MS,
      retentionDays: recorder.retention_days === 0 ? null : recorder.retention_days,
      writeQueueBytesMax: WRITE_QUEUE_BYTES_MAX,
      diskFreeBytesMin: recorder.disk_free_mb * 2 ** 20,
      replayTimes: recorder.replay_times,
      polymarket: sections[0] == null ? null : polymarketConfig(sections[0] as never),
      kalshi: sections[1] == null ? null : kalshiConfig(sections[1] as never, origin),
    })
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${origin.name}: ${error.message}`)
    throw error
  }
}

const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null && !Array.isArray(value)

type Place = { section: string | null; wrong: string[]; others?: string[] }

/** Each setting of a schema with its value or its default. What is wrong is added to `wrong`. */
function valuesOf<Schema extends TObject>(schema: Schema, given: Table, { section, wrong, others = [] }: Place) {
  const names = Object.keys(schema.properties)
  const within = section === null ? '' : `${section}.`
  for (const name of Object.keys(given).filter((each) => !names.includes(each))) {
    const meant = similarName(name.toLowerCase(), [...names, ...others], SLIPS_MAX)
    const advice = meant === undefined ? 'docs/recording.md lists the settings' : `did you mean ${meant}?`
    wrong.push(`unknown setting ${JSON.stringify(within + name)}: ${advice}`)
  }
  const values = Object.entries(schema.properties).map(([name, property]) => {
    const setting = property as typeof property & Words
    const value = given[name] ?? setting.unlessGiven ?? undefined
    const problem = value === undefined ? undefined : problemOf(setting, value)
    if (problem !== undefined) wrong.push(`${within}${name} ${problem}`)
    return [name, value]
  })
  return Object.fromEntries(values) as Schema['static']
}

/** Completes a sentence that begins with the name of the setting; undefined where the value is accepted. */
function problemOf(setting: TSchema & Words, value: unknown): string | undefined {
  const errors = [...Errors(setting, value)]
  if (errors.length > 0 && errors.every(({ type }) => type === ValueErrorType.ArrayUniqueItems)) {
    const twice = (value as unknown[]).find((each, i, all) => all.indexOf(each) < i)
    return `must name each only once, got ${JSON.stringify(twice)} more than once`
  }
  if (errors.length === 0 && (setting.isAccepted?.(value as string) ?? true)) return undefined
  return `must be ${setting.accepts}, got ${withoutKeys(JSON.stringify(value))}`
}

/** An address may hold the key of a replay, or a password. */
const withoutKeys = (text: string): string =>
  text.replace(/([?&][^=&"]*key[^=&"]*=)[^&"]*/gi, '$1********').replace(/(\/\/[^/?#:@"]*:)[^/?#"]*@/g, '$1********@')

/** As far as a name of a segment can have it. */
const machineName = (): string =>
  hostname()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-|-$/g, '') || 'recorder'
