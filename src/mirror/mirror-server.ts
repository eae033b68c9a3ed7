// Copies another server's day files to a folder, if they are missing there or have changed. Checks each file. A file
// is FOLDER/VENUE/DATE/MARKET/NAME. A manifest per date lists the server's files that are in the folder.

import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Venue } from '../../storage/venue.ts'
import { DAY_FILES } from '../../workers/files/day-file.ts'
import { isUtcDay } from '../http/parameters/parameter.ts'
import { PARAMETERS } from '../http/parameters/venue-parameters.ts'
import { copyFile, isThere } from './copied-file.ts'
import { MirrorError, type RemoteServer } from './remote-server.ts'

export const MANIFEST = 'manifest.json'

export type MirrorWanted = {
  venues: readonly Venue[]
  from?: string | undefined
  to?: string | undefined
  /** Only this market, in its venue's spelling; null for all. */
  market: string | null
  folder: string
}

export type MirrorReport = {
  dates: number
  /** Files that were copied, and the bytes that were sent for them. */
  copied: number
  sent_bytes: number
  /** Files that already existed and are right. */
  present: number
  failures: { file: string; reason: string }[]
}

export type OnMirrored = (report: MirrorReport, place: string) => void

const calendarAnswer = Type.Object({
  data: Type.Array(Type.Object({ date: Type.String(), condition: Type.String() })),
})
const fileAnswer = Type.Object({
  name: Type.Union(DAY_FILES.map((name) => Type.Literal(name))),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  rows: Type.Integer({ minimum: 0 }),
})
const marketAnswer = Type.Object({
  market: Type.String(),
  revision: Type.Integer(),
  files: Type.Array(fileAnswer),
})
const filesAnswer = Type.Object({
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  data: Type.Array(marketAnswer),
})
type ListedMarket = (typeof marketAnswer)['static']

/** Rejects with MirrorError if the server cannot be reached at all; the failure of a single file is in the report. */
export async function mirrorServer(server: RemoteServer, wanted: MirrorWanted, onMirrored: OnMirrored) {
  const report: MirrorReport = { dates: 0, copied: 0, sent_bytes: 0, present: 0, failures: [] }
  for (const venue of wanted.venues) {
    for (const date of await datesOf(server, venue, wanted)) {
      report.dates++
      await mirrorDate(server, { venue, date, ...wanted }, report, onMirrored)
    }
  }
  return report
}

async function datesOf(server: RemoteServer, venue: Venue, { from, to }: MirrorWanted): Promise<string[]> {
  const bounds = new URLSearchParams({ ...(from && { from }), ...(to && { to }) })
  const path = `/${venue}/calendar?${bounds}`
  const { data } = asAnswer(calendarAnswer, await server.json(path), path)
  const dates = data.filter(({ condition }) => condition !== 'missing').map(({ date }) => date)
  for (const date of dates) if (!isUtcDay(date)) throw notUnderstood(path, `the date ${JSON.stringify(date)}`)
  return dates
}

type OfDate = MirrorWanted & { venue: Venue; date: string }

async function mirrorDate(server: RemoteServer, wanted: OfDate, report: MirrorReport, onMirrored: OnMirrored) {
  const { venue, date, folder } = wanted
  const files: object[] = []
  for await (const { market, revision, files: listed } of marketsOf(server, wanted)) {
    for (const { name, bytes, sha256, rows } of listed) {
      const place = `${venue}/${date}/${market}/${name}`
      const about = { bytes, sha256, rows }
      try {
        await mirrorFile(server, { folder, place, market }, about, report)
        files.push({ market, name, ...about, revision })
      } catch (error) {
        if (!(error instanceof MirrorError)) throw error
        report.failures.push({ file: place, reason: error.message })
      }
      onMirrored(report, place)
    }
  }
  if (files.length > 0 && wanted.market === null) await writeManifest(join(folder, venue, date), { venue, date, files })
}

type Place = { folder: string; place: string; market: string }
type About = { bytes: number; sha256: string; rows: number }

async function mirrorFile(server: RemoteServer, { folder, place }: Place, about: About, report: MirrorReport) {
  const path = join(folder, place)
  if (await isThere(path, about)) {
    report.present++
    return
  }
  const [venue, ...rest] = place.split('/')
  report.sent_bytes += await copyFile(server, `/${venue}/files/${rest.join('/')}`, path, about)
  report.copied++
}

async function* marketsOf(server: RemoteServer, { venue, date, market }: OfDate): AsyncGenerator<ListedMarket> {
  const query = new URLSearchParams({ date, ...(market === null ? {} : { [PARAMETERS[venue].idParameter]: market }) })
  const cursors = new Set<string>()
  for (;;) {
    const path = `/${venue}/files?${query}`
    const { data, next_cursor: cursor } = asAnswer(filesAnswer, await server.json(path), path)
    for (const each of data) {
      // The market must be a valid name, because it becomes the name of a folder.
      const isName = PARAMETERS[venue].id.matches(each.market) && !/^\.{1,2}$/.test(each.market)
      if (!isName) throw notUnderstood(path, `the market ${JSON.stringify(each.market)}`)
      yield each
    }
    if (cursor === null) return
    if (cursors.has(cursor)) throw notUnderstood(path, `the cursor ${JSON.stringify(cursor)} is repeated`)
    cursors.add(cursor)
    query.set('cursor', cursor)
  }
}

function asAnswer<T extends Parameters<typeof Value.Check>[0]>(schema: T, answer: unknown, path: string): T['static'] {
  if (Value.Check(schema, answer)) return answer
  const { path: field = '', message = '' } = Value.Errors(schema, answer).First() ?? {}
  throw notUnderstood(path, `${field || 'it'}: ${message}`)
}

const notUnderstood = (path: string, what: string) =>
  new MirrorError(`the answer to ${path} cannot be understood: ${what}`)

async function writeManifest(folder: string, manifest: object): Promise<void> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, MANIFEST)
  await Bun.write(`${path}.tmp`, `${JSON.stringify(manifest, null, 1)}\n`)
  await rename(`${path}.tmp`, path)
}
