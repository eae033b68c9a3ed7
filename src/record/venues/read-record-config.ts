// Reads record.toml, checks it, and builds the configuration.

import { hostname } from 'node:os'
import { dirname } from 'node:path'
import type { TObject } from '@sinclair/typebox'
import { byVenue, VENUES, type Venue } from '../../../storage/venue.ts'
import { ConfigError } from '../../config/config-error.ts'
import { readConfigFile } from '../../config/config-file.ts'
import { readValues, unknownSetting } from '../../config/read-values.ts'
import { RECORDER_SETTINGS, shareOf } from '../config/record-settings.ts'
import type { Origin } from '../config/venue-config.ts'
import { RECORDED, type VenueConfigs } from './venues.ts'

/** The configuration of the recorder: checked, frozen, times in ms, sizes in bytes. */
export type RecordConfig = ReturnType<typeof recordConfigOf>

type Table = Readonly<Record<string, unknown>>
/** `name` is the name of the file in messages. */
type Named = Origin & { name: string }

/** How often segments are flushed to disk. */
const FLUSH_MS = 1_000
/** How often connections are checked. */
const CHECK_MS = 1_000
const WRITE_QUEUE_BYTES_MAX = 64 * 2 ** 20

/** Reads TOML, or JSON if the file name says so. Throws ConfigError with all faults in one line. */
export function readRecordConfig(path: string, variables: Origin['variables'] = process.env): RecordConfig {
  return recordConfigOf(readConfigFile(path).values, { folder: dirname(path), variables, name: path })
}

/** Builds the configuration from a parsed file. Throws ConfigError. */
export function recordConfigOf(table: Table, origin: Named) {
  const wrong: string[] = []
  const isSection = (name: string) => VENUES.some((venue) => venue === name)
  const own = Object.fromEntries(Object.entries(table).filter(([name]) => !isSection(name)))
  const recorder = valuesOf(RECORDER_SETTINGS, own, '', wrong)
  const sections = byVenue((venue) => sectionOf(venue, table[venue], wrong))
  if (VENUES.every((venue) => table[venue] === undefined)) {
    wrong.push(`no venue is named: add ${VENUES.map((venue) => `[${venue}]`).join(' or ')}`)
  }
  if (wrong.length > 0) throw new ConfigError(`${origin.name}: ${wrong.join('; ')}`)
  try {
    return Object.freeze({
      recorderId: recorder.recorder_id ?? machineName(),
      /** Null records all selected markets. */
      share: shareOf(recorder.share ?? '') ?? null,
      commitMs: recorder.commit_seconds * 1_000,
      flushMs: FLUSH_MS,
      checkMs: CHECK_MS,
      /** Null keeps segments for ever. */
      retentionDays: recorder.retention_days === 0 ? null : recorder.retention_days,
      /** Received bytes that may wait while the disk refuses lines. Above that, frames are dropped as an overflow. */
      writeQueueBytesMax: WRITE_QUEUE_BYTES_MAX,
      /** With less free space on the disk than this, no new markets are taken. */
      diskFreeBytesMin: recorder.disk_free_mb * 2 ** 20,
      /** Whether a replay is requested to send the original times of its messages. */
      replayTimes: recorder.replay_times,
      ...(byVenue((venue) => {
        const values = sections[venue]
        return values && RECORDED[venue].configOf(values, origin)
      }) as VenueConfigs),
    })
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${origin.name}: ${error.message}`)
    throw error
  }
}

/** Returns null if the file has no such section. */
function sectionOf(section: Venue, table: unknown, wrong: string[]) {
  if (table === undefined) return null
  if (typeof table === 'object' && table !== null && !Array.isArray(table)) {
    return valuesOf(RECORDED[section].settings, table as Table, `${section}.`, wrong)
  }
  wrong.push(`${section} must be a section of settings, got ${JSON.stringify(table)}`)
  return null
}

/** Reads the values of `table`, and adds its faults to `wrong`. `within` is the prefix of the settings' names in
 *  messages, such as `kalshi.` for the section [kalshi]. */
function valuesOf<Schema extends TObject>(schema: Schema, table: Table, within: string, wrong: string[]) {
  const names = Object.keys(schema.properties)
  const known = {
    names: within === '' ? [...names, ...VENUES] : names,
    advice: 'docs/recording.md lists the settings',
  }
  for (const name of Object.keys(table)) {
    if (!names.includes(name)) wrong.push(unknownSetting(name, JSON.stringify(within + name), known))
  }
  const given = (name: string) =>
    table[name] == null ? undefined : { value: table[name], called: within + name, isInFile: true }
  return readValues(schema, given, { wrong })
}

/** Returns the host name in the form that a segment's file name allows. */
const machineName = (): string =>
  hostname()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-|-$/g, '') || 'recorder'
