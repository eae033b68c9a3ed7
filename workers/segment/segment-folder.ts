// Places of segments in a data folder. A segment is in segments/new/<venue>/<date>/ until all of it is in the store,
// then in segments/loaded/<venue>/<date>/. In both folders, the name of a segment that was not closed ends with
// `.part`.

import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFailure } from '../../storage/data-folder/disk-space.ts'
import { NS_PER_MS } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'

/** Name of a segment, `<venue>/<YYYY-MM-DD>/<HHMMSS>-<recorder>-<connection>.ndjson.zst`. The name is the same
 *  everywhere in the program. It does not depend on the segment's folder, or on whether the segment is closed. */
export type SegmentName = string

export const SEGMENT_END = '.ndjson.zst'
export const PART_END = '.part'

const ID = /^[A-Za-z0-9_.-]{1,64}$/

/** Returns the folder of segments that are not completely in the store. */
export const newFolder = (dataFolder: string): string => join(dataFolder, 'segments', 'new')
export const loadedFolder = (dataFolder: string): string => join(dataFolder, 'segments', 'loaded')

export type SegmentOrigin = { venue: Venue; recorder: string; connection: string }

/** Returns the name of a segment. `count` distinguishes segments that would have the same name, because a connection
 *  began twice within a second. Throws RangeError if an id cannot be part of a file name. */
export function segmentName({ venue, recorder, connection }: SegmentOrigin, startNs: bigint, count = 0): SegmentName {
  for (const id of [recorder, connection]) {
    if (!ID.test(id)) throw new RangeError(`an id must be 1 to 64 of A-Z a-z 0-9 _ . -, got ${JSON.stringify(id)}`)
  }
  const started = new Date(Number(startNs / NS_PER_MS)).toISOString()
  const time = started.slice(11, 19).replaceAll(':', '')
  const suffix = count === 0 ? '' : `-${String(count).padStart(2, '0')}`
  return `${venue}/${started.slice(0, 10)}/${time}-${recorder}-${connection}${suffix}${SEGMENT_END}`
}

/** Returns the path of a segment in one of the two folders; undefined if it is not there. */
export function findSegment(folder: string, name: SegmentName): string | undefined {
  return [name, name + PART_END].map((file) => join(folder, file)).find((path) => existsSync(path))
}

/** Returns the names of the segments below one of the two folders, sorted and each once. */
export function segmentsBelow(folder: string): SegmentName[] {
  const names = new Set<SegmentName>()
  for (const venue of listed(folder)) {
    for (const date of listed(join(folder, venue))) {
      for (const file of listed(join(folder, venue, date))) {
        const name = file.endsWith(PART_END) ? file.slice(0, -PART_END.length) : file
        if (name.endsWith(SEGMENT_END)) names.add(`${venue}/${date}/${name}`)
      }
    }
  }
  return [...names].sort()
}

/** Moves a segment whose records are all in the store. Does nothing if it was moved before. Throws
 *  DataError('disk_full') and the file system's errors. */
export function moveToLoaded(dataFolder: string, name: SegmentName): void {
  const from = findSegment(newFolder(dataFolder), name)
  if (from === undefined) return
  const to = join(loadedFolder(dataFolder), from.slice(newFolder(dataFolder).length))
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    renameSync(from, to)
  } catch (error) {
    throw writeFailure(error, dataFolder)
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
