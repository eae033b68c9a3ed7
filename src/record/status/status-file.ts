// Reads and writes DIR/recorder/status.json. The recorder replaces it with a rename, the server reads it. If it is no
// longer updated, the process has ended without being stopped.

import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../../../storage/data-folder/durable-file.ts'
import { RECORDER_STATES, type RecorderState, type RecorderStatus } from './recorder-status.ts'

export const RECORDER_FOLDER = 'recorder'
const FILE = 'status.json'
/** Age from which the status is stale. It is written each second. */
const STALE_MS = 15_000

const pathOf = (folder: string) => join(folder, RECORDER_FOLDER, FILE)

/** The file's length is a multiple of this, so that the file can be overwritten in place if the disk has no room for a
 *  second file. */
const PAGE_BYTES = 4_096

/** Writes the status. Throws errors of the file system. */
export function writeStatus(folder: string, status: RecorderStatus): void {
  const path = pathOf(folder)
  const text = JSON.stringify(status)
  const pages = Math.ceil((Buffer.byteLength(text) + 1) / PAGE_BYTES)
  const bytes = Buffer.alloc(pages * PAGE_BYTES, ' ')
  bytes.write(text)
  bytes.write('\n', bytes.length - 1)
  const part = `${path}.${process.pid}.part`
  try {
    mkdirSync(join(folder, RECORDER_FOLDER), { recursive: true, mode: 0o700 })
    writeFileSync(part, bytes, { mode: 0o600 })
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    overwrite(path, bytes)
  }
}

/** Overwrites the file in place, which a full disk allows. A reader may see half of it, and must read again. */
function overwrite(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'r+')
  try {
    writeSync(file, bytes, 0, bytes.length, 0)
  } finally {
    closeSync(file)
  }
}

/** `gone`: the recorder was running, but its status is stale or its process has ended. */
export type SeenState = RecorderState | 'gone'
export type SeenRecorder = { state: SeenState; ageMs: number; status: RecorderStatus }

/** Reads the status. Returns null if no recorder ever ran on this folder, or the file cannot be parsed. */
export function readStatus(folder: string, nowMs: number): SeenRecorder | null {
  let status: RecorderStatus
  try {
    status = JSON.parse(readFileSync(pathOf(folder), 'utf8')) as RecorderStatus
  } catch {
    return null
  }
  if (typeof status?.updated_at !== 'number' || !RECORDER_STATES.includes(status.state)) return null
  const ageMs = Math.max(0, nowMs - status.updated_at)
  const isGone = status.state !== 'stopped' && (ageMs > STALE_MS || !isAlive(status.pid))
  return { state: isGone ? 'gone' : status.state, ageMs, status }
}
