// The folder of an export. A small file below `.backbook` records each day: its files, and what they were made from. So
// a second run knows which files are still right, and which to remove.
//
//   DIR/.backbook/kept/<target>/<venue>/<market>/<date>.json
//   DIR/.backbook/new/<process>-<number>        files being written; they get their final names once all files of a
//                                               day are complete, or not at all

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isAlive, syncFolder } from '../../storage/data-folder/durable-file.ts'
import { CommandError, EXIT } from '../command-error.ts'
import { NewFiles } from './new-files.ts'
import type { Counts, DayNotes } from './target.ts'

const OWN = '.backbook'

export type MadeFile = { path: string; bytes: number; rows: number }

/** `made` identifies everything that the files depend on: if it changes, the files are made again. `books` are the
 *  books of the day. */
export type MadeFiles = { made: string; files: MadeFile[]; figures: Counts; notes: DayNotes; books?: readonly string[] }

export class ExportFolder {
  readonly path: string
  readonly #new: string
  #startedFiles = 0

  /** Throws CommandError for a path that is not a folder, that has files of other programs, or that cannot be written.
   */
  constructor(path: string) {
    this.path = path
    this.#new = join(path, OWN, 'new')
    try {
      this.#prepare()
    } catch (error) {
      if (error instanceof CommandError) throw error
      throw new CommandError(`the folder ${path} cannot be written: ${(error as Error).message}`, EXIT.failed)
    }
  }

  #prepare(): void {
    const { path } = this
    const there = statSync(path, { throwIfNoEntry: false })
    if (there !== undefined && !there.isDirectory()) throw new CommandError(`${path} is not a folder`, EXIT.usage)
    if (there !== undefined && !existsSync(join(path, OWN)) && readdirSync(path).length > 0) {
      throw new CommandError(`${path} has files that no export wrote: name a new or empty folder`, EXIT.usage)
    }
    mkdirSync(this.#new, { recursive: true })
    for (const name of readdirSync(this.#new)) if (!isRunning(name)) rmSync(join(this.#new, name), { force: true })
  }

  /** Records the target's options. Throws CommandError if earlier files were written with other options, since no
   *  reader accepts a mixture. A refused run has written nothing. */
  assertOptions(target: string, options: Readonly<Record<string, string>>): void {
    const before = existsSync(join(this.path, OWN, 'kept', target)) ? this.#read(target)?.notes : undefined
    if (before === undefined) {
      this.#write(target, { made: '', files: [], figures: {}, notes: options })
      return
    }
    const other = Object.keys(options).find((name) => before[name] !== options[name])
    if (other === undefined) return
    const flags = `--${other} ${before[other]}`
    throw new CommandError(`${this.path} was written with ${flags}: use that, or name another folder`, EXIT.usage)
  }

  /** Returns the record under a name; undefined if its files are missing or have another size. */
  record(name: string): MadeFiles | undefined {
    const record = this.#read(name)
    const isThere = ({ path, bytes }: MadeFile) =>
      statSync(join(this.path, path), { throwIfNoEntry: false })?.size === bytes
    return record?.files.every(isThere) ? record : undefined
  }

  /** Returns the recorded books of a day, even if its files are missing. */
  booksOf(name: string): readonly string[] {
    return this.#read(name)?.books ?? []
  }

  /** Returns the records below `name`, each by the last part of its name. */
  recordsBelow(name: string): Map<string, MadeFiles> {
    const folder = join(this.path, OWN, 'kept', name)
    const names = existsSync(folder) ? readdirSync(folder).filter((each) => each.endsWith('.json')) : []
    const all = names.sort().map((each) => each.slice(0, -'.json'.length))
    return new Map(
      all.flatMap((each) => {
        const record = this.#read(`${name}/${each}`)
        return record === undefined ? [] : [[each, record] as const]
      }),
    )
  }

  begin(): NewFiles {
    return new NewFiles(this.path, () => join(this.#new, `${process.pid}-${this.#startedFiles++}`))
  }

  /** Removes the earlier files under the name and gives the new files their paths. If the process ends in between,
   *  files may be missing but none is incomplete. To make the next run start over, a first record lists all files that
   *  may remain. */
  keep(name: string, files: NewFiles, record: Omit<MadeFiles, 'files'>): MadeFile[] {
    const whole = files.take()
    const before = this.#read(name)?.files ?? []
    const after = whole.map(({ path, bytes, rows }) => ({ path, bytes, rows }))
    this.#write(name, { ...record, made: '', files: [...before, ...after] })
    const places = [...before, ...after].map(({ path }) => join(this.path, path))
    for (const { path } of before) rmSync(join(this.path, path), { force: true })
    for (const { path, temporary } of whole) {
      mkdirSync(dirname(join(this.path, path)), { recursive: true })
      renameSync(temporary, join(this.path, path))
    }
    for (const folder of new Set(places.map(dirname))) if (existsSync(folder)) syncFolder(folder)
    this.#write(name, { ...record, files: after })
    return after
  }

  #read(name: string): MadeFiles | undefined {
    const path = this.#pathOf(name)
    if (!existsSync(path)) return undefined
    const record = parseRecord(readFileSync(path, 'utf8'))
    if (record !== undefined) return record
    // Only this record lists the files of an earlier run. Without the record, the earlier files would stay beside the
    // new ones.
    throw new CommandError(
      `${path} is damaged: name another folder, or remove ${this.path} and run it again`,
      EXIT.failed,
    )
  }

  #write(name: string, record: MadeFiles): void {
    const path = this.#pathOf(name)
    const files = this.begin()
    const file = files.begin()
    file.write(Buffer.from(`${JSON.stringify(record)}\n`))
    file.finish(name, 0)
    mkdirSync(dirname(path), { recursive: true })
    renameSync(files.take()[0]!.temporary, path)
    syncFolder(dirname(path))
  }

  readonly #pathOf = (name: string) => join(this.path, OWN, 'kept', `${name}.json`)
}

/** Undefined if the text is not a record. */
function parseRecord(text: string): MadeFiles | undefined {
  try {
    const record = JSON.parse(text) as MadeFiles | null
    return Array.isArray(record?.files) ? record : undefined
  } catch {
    return undefined
  }
}

/** True if another process began a file and may still be writing it. */
function isRunning(name: string): boolean {
  const id = Number(name.split('-')[0])
  return id !== process.pid && Number.isInteger(id) && isAlive(id)
}
