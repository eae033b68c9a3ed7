// The files of days of markets: made by the workers when they are first asked for, and kept in a folder of the data
// folder under their digests.

import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalogue } from '../../storage/catalogue.ts'
import { writeFailure } from '../../storage/data-folder/disk-space.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { type DayFile, type DayFileName, dayVersionOf, keptName } from '../../workers/files/day-file.ts'
import type { Workers } from '../../workers/requests.ts'
import { dayFileTask } from '../../workers/tasks/day-file.ts'
import { VERSION } from '../version.ts'
import { DigestDatabase } from './digest-database.ts'

/** In the data folder. No backup needs it: everything in it is made again. */
export const DAY_FILES_FOLDER = 'day-files'
const DATABASE = 'digests.sqlite'
/** Another process may be making what is younger. */
const ABANDONED_MS = 3_600_000

type DayFilesParts = {
  catalogue: Pick<Catalogue, 'cursorSecret'>
  workers: Pick<Workers, 'ask'>
  /** Data folder. */
  data: string
  /** What the files may take together. One that is larger is kept alone. */
  bytesMax: number
  nowMs?: () => number
}

/** A file of a day as it is stored now. */
export type DayOfFile = { key: PartitionKey; name: DayFileName; head: PartitionHead }

export class DayFiles {
  readonly #parts: DayFilesParts
  readonly #folder: string
  readonly #nowMs: () => number
  /** Files that are being made, by place and version: whoever asks meanwhile waits for the same. */
  readonly #making = new Map<string, Promise<DayFile>>()
  #database: DigestDatabase | undefined
  #store: string | undefined

  constructor(parts: DayFilesParts) {
    this.#parts = parts
    this.#folder = join(parts.data, DAY_FILES_FOLDER)
    this.#nowMs = parts.nowMs ?? Date.now
  }

  /** Undefined where the file was not made yet. */
  async known(file: DayOfFile): Promise<DayFile | undefined> {
    return this.#opened().find(placeOf(file), await this.#versionOf(dayVersionOf(file.head)))
  }

  /** What is known of the file; it is made where that is nothing. Rejects with DataError. */
  async described(file: DayOfFile): Promise<DayFile> {
    return (await this.known(file)) ?? this.#made(file)
  }

  /** The file itself, which lies at the path for as long as a response takes to open it. Rejects with DataError. */
  async lying(file: DayOfFile): Promise<DayFile & { path: string }> {
    const known = await this.known(file)
    const isThere = known !== undefined && this.#use(known)
    const lying = isThere ? known : await this.#made(file)
    return { ...lying, path: this.#pathOf(lying.sha256) }
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

  /** Whether the file lies there. It is then the last that is removed. */
  #use(file: DayFile): boolean {
    if (!existsSync(this.#pathOf(file.sha256))) return false
    this.#opened().use(file, this.#nowMs())
    return true
  }

  #pathOf(sha256: string): string {
    return join(this.#folder, keptName(sha256))
  }

  /** With the program, which may write files otherwise, and the store, since two count their revisions alike. */
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

  /** What a process left that ended while it made a file. */
  #removeAbandoned(database: DigestDatabase): void {
    for (const name of readdirSync(this.#folder)) {
      if (name.startsWith(DATABASE) || database.isKept(name.replace(/\.file$/, ''))) continue
      const path = join(this.#folder, name)
      const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {}
      if (mtimeMs !== undefined && mtimeMs < Date.now() - ABANDONED_MS) rmSync(path, { force: true })
    }
  }
}

const placeOf = ({ key: { venue, market, date }, name }: DayOfFile) => `${venue}/${date}/${market}/${name}`
