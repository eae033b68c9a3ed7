// Files of market days. The workers make them on first request. They are stored in a folder of the data folder, under
// their digests.

import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalogue } from '../../storage/catalogue.ts'
import { writeFailure } from '../../storage/data-folder/disk-space.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { type DayFile, type DayFileName, dayVersionOf, storedName } from '../../workers/files/day-file.ts'
import type { Workers } from '../../workers/requests.ts'
import { dayFileTask } from '../../workers/tasks/day-file.ts'
import { VERSION } from '../version.ts'
import { DigestDatabase } from './digest-database.ts'

/** A folder in the data folder. Backups omit this folder, since everything in it can be made again. */
export const DAY_FILES_FOLDER = 'day-files'
const DATABASE = 'digests.sqlite'
/** Age from which an unfinished file counts as abandoned, ms. Another process may still be writing a younger file. */
const ABANDONED_MS = 3_600_000

type DayFilesParts = {
  catalogue: Pick<Catalogue, 'cursorSecret'>
  workers: Pick<Workers, 'ask'>
  /** Data folder. */
  data: string
  /** Total size limit of the files. A single file that is larger is stored alone. */
  bytesMax: number
  nowMs?: () => number
}

/** Identifies a file of a day, in the day's current version. `head` is the head of the day. */
export type DayOfFile = { key: PartitionKey; name: DayFileName; head: PartitionHead }

export class DayFiles {
  readonly #parts: DayFilesParts
  readonly #folder: string
  readonly #nowMs: () => number
  /** Files that are being made, by `placeOf` and the version of the day. Concurrent requests for a file wait for the
   *  same promise. */
  readonly #making = new Map<string, Promise<DayFile>>()
  #database: DigestDatabase | undefined
  #store: string | undefined

  constructor(parts: DayFilesParts) {
    this.#parts = parts
    this.#folder = join(parts.data, DAY_FILES_FOLDER)
    this.#nowMs = parts.nowMs ?? Date.now
  }

  /** Returns the file if it was already made, else undefined. */
  async known(file: DayOfFile): Promise<DayFile | undefined> {
    return this.#opened().find(placeOf(file), await this.#versionOf(dayVersionOf(file.head)))
  }

  /** Returns the size and digest of the file, and makes it if needed. Rejects with DataError. */
  async described(file: DayOfFile): Promise<DayFile> {
    return (await this.known(file)) ?? this.#made(file)
  }

  /** Returns the file with its path, and makes it if needed. The file stays at this path long enough for a response to
   *  open it. Rejects with DataError. */
  async onDisk(file: DayOfFile): Promise<DayFile & { path: string }> {
    const known = await this.known(file)
    const isPresent = known !== undefined && this.#use(known)
    const stored = isPresent ? known : await this.#made(file)
    return { ...stored, path: this.#pathOf(stored.sha256) }
  }

  #made(file: DayOfFile): Promise<DayFile> {
    const subject = `${placeOf(file)} ${dayVersionOf(file.head)}`
    const making = this.#making.get(subject)
    if (making !== undefined) return making
    const made = this.#make(file).finally(() => this.#making.delete(subject))
    this.#making.set(subject, made)
    return made
  }

  async #make(file: DayOfFile): Promise<DayFile> {
    const { key, name, head } = file
    const database = this.#opened()
    const request = { ...key, name, recordCount: head.recordCount, folder: this.#folder }
    const { bytes, sha256, rows, dayVersion } = await this.#parts.workers.ask(dayFileTask, request)
    const made = { bytes, sha256, rows }
    database.put(placeOf(file), await this.#versionOf(dayVersion), made)
    database.use(made, this.#nowMs())
    for (const old of database.beyond(this.#parts.bytesMax)) {
      rmSync(this.#pathOf(old), { force: true })
      database.forget(old)
    }
    return made
  }

  /** Marks a file as the most recently used. Returns false if it does not exist. */
  #use(file: DayFile): boolean {
    if (!existsSync(this.#pathOf(file.sha256))) return false
    this.#opened().use(file, this.#nowMs())
    return true
  }

  #pathOf(sha256: string): string {
    return join(this.#folder, storedName(sha256))
  }

  /** Returns the version of a file. It includes the program's version, since another version may write files
   *  differently, and the store, since two stores may have equal revision numbers. */
  async #versionOf(dayVersion: string): Promise<string> {
    this.#store ??= Bun.hash(await this.#parts.catalogue.cursorSecret()).toString(36)
    return `${VERSION} ${this.#store} ${dayVersion}`
  }

  #opened(): DigestDatabase {
    if (this.#database !== undefined) return this.#database
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      this.#database = new DigestDatabase(join(this.#folder, DATABASE))
      this.#removeAbandoned(this.#database)
      return this.#database
    } catch (error) {
      throw writeFailure(error, this.#folder)
    }
  }

  /** Removes files left by a process that ended while it made them. */
  #removeAbandoned(database: DigestDatabase): void {
    for (const name of readdirSync(this.#folder)) {
      if (name.startsWith(DATABASE) || database.isStored(name.replace(/\.file$/, ''))) continue
      const path = join(this.#folder, name)
      const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {}
      if (mtimeMs !== undefined && mtimeMs < Date.now() - ABANDONED_MS) rmSync(path, { force: true })
    }
  }
}

const placeOf = ({ key: { venue, market, date }, name }: DayOfFile) => `${venue}/${date}/${market}/${name}`
