// Runs a recorder in this process, on its own folder and with short deadlines. Reads the content of its segments.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRecorder, type RecorderPlace } from '../../../src/record/process/recorder-process.ts'
import type { Recorder } from '../../../src/record/recorder.ts'
import { RecorderStats } from '../../../src/record/status/recorder-stats.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import type { LiveLoading } from '../../../workers/live-load/live-loading.ts'
import { findSegment, loadedFolder, newFolder, segmentsBelow } from '../../../workers/segment/segment-folder.ts'
import { recordConfig } from './record-config.ts'

/** Loads nothing, for tests that check the segments. */
const NO_LOADING: LiveLoading = {
  add: () => undefined,
  closed: () => undefined,
  queuedBytes: 0,
  bytesToLoad: 0,
  leftoverSegments: 0,
  lastRecords: async (markets) => markets.map(() => new Map()),
  stop: async () => undefined,
}

type Table = Record<string, unknown>
/** `own` holds the keys outside the sections. The keys are those that `recordConfig` accepts. */
export type RunOptions = { [Name in Venue]?: Table } & {
  own?: Table
  endsWithVenues?: boolean
  folder?: string
  /** Whether the recorder loads its segments into the store of the folder. */
  isLoaded?: boolean
  /** Segments of an earlier run that are never loaded. */
  leftoverSegments?: number
  /** Replaces the thread that loads. */
  loading?: (recorder: () => Recorder, folder: string) => LiveLoading
}

/** Pauses so short that a test need not wait. Deadlines for answers are long, because a busy machine answers late. */
const SHORT = {
  pingMs: 100,
  pongMs: 5_000,
  snapshotMs: 5_000,
  connectStaggerMs: 0,
  reconnectJitterMs: 10,
  backoffFromMs: 20,
  backoffToMs: 100,
}

export type Line = Record<string, unknown>

export class RecorderRun {
  readonly folder: string
  readonly stats = new RecorderStats(Date.now())
  readonly warnings: string[] = []
  readonly notes: string[] = []
  readonly recorder: Recorder
  #isStopped = false

  constructor({ own = {}, ...options }: RunOptions) {
    this.folder = options.folder ?? mkdtempSync(join(tmpdir(), 'backbook-record-'))
    const given = {
      ...{ recorder_id: 'test', flushMs: 50, checkMs: 25, disk_free_mb: 0, ...own },
      ...Object.fromEntries(
        VENUES.flatMap((venue) => (options[venue] === undefined ? [] : [[venue, { ...SHORT, ...options[venue] }]])),
      ),
    }
    const place: RecorderPlace = {
      folder: this.folder,
      config: recordConfig(given, this.folder),
      stats: this.stats,
      log: {
        info: (fields, text) => this.notes.push(`${text} ${JSON.stringify(fields)}`),
        warn: (fields, text) => this.warnings.push(`${text} ${JSON.stringify(fields)}`),
      },
      endsWithVenues: options.endsWithVenues ?? false,
    }
    const loading = { ...NO_LOADING, leftoverSegments: options.leftoverSegments ?? 0 }
    const chosen = options.loading?.(() => this.recorder, this.folder) ?? loading
    this.recorder = openRecorder(place, options.isLoaded === true ? undefined : chosen)
    this.recorder.start()
  }

  /** Stops the recorder. Returns the lines of its segments in order of arrival. */
  async stop(): Promise<Line[]> {
    if (!this.#isStopped) await this.recorder.stop()
    this.#isStopped = true
    return this.lines()
  }

  paths(): string[] {
    return segmentPaths(this.folder)
  }

  lines(): Promise<Line[]> {
    return segmentLines(this.folder)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const segmentPaths = (folder: string): string[] =>
  [loadedFolder(folder), newFolder(folder)].flatMap((place) =>
    segmentsBelow(place).map((name) => findSegment(place, name)!),
  )

/** Returns the lines of all segments of a data folder. */
export async function segmentLines(folder: string): Promise<Line[]> {
  const texts = await Promise.all(
    segmentPaths(folder).map(async (path) => Bun.zstdDecompress(await Bun.file(path).bytes())),
  )
  return texts.flatMap((text) => text.toString().trimEnd().split('\n')).map((line) => JSON.parse(line) as Line)
}

/** Returns the texts of the frames, in the order of the segments. */
export const framesIn = (lines: Line[]): string[] =>
  lines.flatMap((line) => (typeof line['raw'] === 'string' && line['source'] === undefined ? [line['raw']] : []))

/** Returns the messages of the frames. Splits arrays, and removes line ends, which only some frames have. */
export const messagesIn = (lines: Line[]): string[] =>
  framesIn(lines).flatMap((text) => [JSON.parse(text)].flat().map((message) => JSON.stringify(message)))

export type GapMessage = Record<string, string | number>
export const gapsIn = (lines: Line[]): GapMessage[] =>
  lines.flatMap((line) => (line['type'] === 'gap' ? [line['msg'] as GapMessage] : []))

/** Waits until a condition is true. Throws if it takes too long. */
export async function eventually(what: string, isTrue: () => boolean, withinMs = 50_000): Promise<void> {
  const untilMs = performance.now() + withinMs
  while (!isTrue()) {
    if (performance.now() > untilMs) throw new Error(`${what}: not within ${withinMs} ms`)
    await Bun.sleep(5)
  }
}
