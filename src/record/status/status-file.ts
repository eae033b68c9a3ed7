// DIR/recorder/status.json: written by the recorder with a rename, read by the server. A file that is not written any
// more means that the process ended without being told to.

import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../../../storage/data-folder/replacement.ts'
import { RECORDER_STATES, type RecorderState, type RecorderStatus } from './recorder-status.ts'

export const RECORDER_FOLDER = 'recorder'
const FILE = 'status.json'
/** It is written each second. */
const STALE_MS = 15_000

const pathOf = (folder: string) => join(folder, RECORDER_FOLDER, FILE)

/** Its length is a multiple of this, so that it can be written over where the disk has no room for another. */
const PAGE_BYTES = 4_096

/** Throws errors of the file system. */
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

/** A disk that is full takes what stands in the place of something. Who reads it meanwhile reads it again. */
function overwrite(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'r+')
  try {
    writeSync(file, bytes, 0, bytes.length, 0)
  } finally {
    closeSync(file)
  }
}

/** `gone`: it was running, and has said nothing for a while or its process has ended. */
export type SeenState = RecorderState | 'gone'
export type SeenRecorder = { state: SeenState; ageMs: number; status: RecorderStatus }

/** Null where no recorder ever ran on this folder, or what stands there cannot be read. */
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
