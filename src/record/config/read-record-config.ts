// Reads record.toml, checks it, and builds the configuration.

import { hostname } from 'node:os'
import { dirname } from 'node:path'
import type { TObject } from '@sinclair/typebox'
import { ConfigError } from '../../config/config-error.ts'
import { readConfigFile } from '../../config/config-file.ts'
import { readValues, unknownSetting } from '../../config/read-values.ts'
import { RECORDER_SETTINGS, SECTIONS, shareOf } from './record-settings.ts'
import { kalshiConfig, polymarketConfig } from './venue-config.ts'

/** The configuration of the recorder: checked, frozen, times in ms, sizes in bytes. */
export type RecordConfig = ReturnType<typeof recordConfigOf>

type Table = Readonly<Record<string, unknown>>
type Variables = Readonly<Record<string, string | undefined>>
type Origin = { folder: string; variables: Variables; name: string }

/** How often segments are flushed to disk. */
const FLUSH_MS = 1_000
const WRITE_QUEUE_BYTES_MAX = 64 * 2 ** 20

/** Reads TOML, or JSON if the file name says so. Throws ConfigError with all faults in one line. */
export function readRecordConfig(path: string, variables: Variables = process.env): RecordConfig {
  return recordConfigOf(readConfigFile(path).values, { folder: dirname(path), variables, name: path })
}

/** Builds the configuration from a parsed file. Throws ConfigError. */
export function recordConfigOf({ polymarket, kalshi, ...own }: Table, origin: Origin) {
  const wrong: string[] = []
  const recorder = valuesOf(RECORDER_SETTINGS, own, '', wrong)
  const ofPolymarket = sectionOf('polymarket', polymarket, wrong)
  const ofKalshi = sectionOf('kalshi', kalshi, wrong)
  if (polymarket === undefined && kalshi === undefined) wrong.push('no venue is named: add [polymarket] or [kalshi]')
  if (wrong.length > 0) throw new ConfigError(`${origin.name}: ${wrong.join('; ')}`)
  try {
    return Object.freeze({
      recorderId: recorder.recorder_id ?? machineName(),
      /** Null records all selected markets. */
      share: shareOf(recorder.share ?? '') ?? null,
      commitMs: recorder.commit_seconds * 1_000,
      flushMs: FLUSH_MS,
      /** Null keeps segments for ever. */
      retentionDays: recorder.retention_days === 0 ? null : recorder.retention_days,
      /** Received bytes that may wait to be written. Above that, frames are dropped and an overflow is reported. */
      writeQueueBytesMax: WRITE_QUEUE_BYTES_MAX,
      /** With less free space on the disk than this, no new markets are taken. */
      diskFreeBytesMin: recorder.disk_free_mb * 2 ** 20,
      /** Whether a replay is requested to send the original times of its messages. */
      replayTimes: recorder.replay_times,
      /** Null if the file has no such section. */
      polymarket: ofPolymarket && polymarketConfig(ofPolymarket),
      kalshi: ofKalshi && kalshiConfig(ofKalshi, origin),
    })
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${origin.name}: ${error.message}`)
    throw error
  }
}

/** Returns null if the file has no such section. */
function sectionOf<Section extends keyof typeof SECTIONS>(section: Section, table: unknown, wrong: string[]) {
  if (table === undefined) return null
  if (typeof table === 'object' && table !== null && !Array.isArray(table)) {
    return valuesOf(SECTIONS[section], table as Table, `${section}.`, wrong)
  }
  wrong.push(`${section} must be a section of settings, got ${JSON.stringify(table)}`)
  return null
}

/** `within` is the prefix of the names, such as `kalshi.` for those of a section. */
function valuesOf<Schema extends TObject>(schema: Schema, table: Table, within: string, wrong: string[]) {
  const names = Object.keys(schema.properties)
  const known = {
    names: within === '' ? [...names, ...Object.keys(SECTIONS)] : names,
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
