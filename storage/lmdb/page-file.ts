// Reads the pages of LMDB's file from the disk, without LMDB: LMDB trusts what it maps, and its pages have no
// checksums. The format is that of the LMDB inside lmdb-js (data version 2). A page begins with 24 bytes: number,
// transaction, flags and bounds. A database is described by 48 bytes.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

export const PAGE_HEADER_BYTES = 24
export const BRANCH = 1
export const LEAF = 2
export const OVERFLOW = 4
export const META = 8

/** A tree, as its parent describes it. `root` is -1 if the tree is empty. */
export type TreeRecord = {
  flags: number
  depth: number
  branchPages: number
  leafPages: number
  overflowPages: number
  entries: number
  root: number
}

export type Meta = { free: TreeRecord; main: TreeRecord; mapBytes: number; lastPage: number; transaction: number }

/** One page; valid until its slot is read into again. */
export type Page = {
  bytes: Buffer
  /** The same bytes as 16-bit words. */
  words: Uint16Array
  number: number
  transaction: number
  flags: number
}

export class PageFile {
  readonly pageBytes: number
  readonly #file: number
  readonly #slots: { bytes: Buffer; words: Uint16Array }[] = []

  constructor(path: string, pageBytes: number) {
    this.pageBytes = pageBytes
    this.#file = openSync(path, 'r')
  }

  get pageCount(): number {
    return Math.floor(fstatSync(this.#file).size / this.pageBytes)
  }

  /** Reads a page into a slot; undefined if the file ends before the page. A walk uses one slot per level of the tree,
   *  because a page is still needed while its children are read. */
  read(number: number, slot: number): Page | undefined {
    this.#slots[slot] ??= newSlot(this.pageBytes)
    const { bytes, words } = this.#slots[slot]
    const position = number * this.pageBytes
    // The number may come from a damaged page and have any value.
    if (!Number.isSafeInteger(position) || position < 0) return undefined
    if (readSync(this.#file, bytes, 0, this.pageBytes, position) < this.pageBytes) return undefined
    return { bytes, words, number: longAt(bytes, 0), transaction: longAt(bytes, 8), flags: words[9]! }
  }

  /** Reads a meta page. The caller checks whether it is valid. */
  meta(number: 0 | 1): { page: Page; meta: Meta } | undefined {
    const page = this.read(number, 0)
    if (page === undefined) return undefined
    const { bytes } = page
    return {
      page,
      meta: {
        free: treeAt(bytes, 48),
        main: treeAt(bytes, 96),
        mapBytes: longAt(bytes, 40),
        lastPage: longAt(bytes, 144),
        transaction: longAt(bytes, 152),
      },
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}

function newSlot(pageBytes: number): { bytes: Buffer; words: Uint16Array } {
  const buffer = new ArrayBuffer(pageBytes)
  return { bytes: Buffer.from(buffer), words: new Uint16Array(buffer) }
}

/** Reads a 64-bit integer. Beyond 2^53 it is inexact, and then outside every valid range. -1 is LMDB's mark for no
 *  page. */
export const longAt = (bytes: Buffer, at: number): number =>
  bytes.readUInt32LE(at) + bytes.readInt32LE(at + 4) * 4_294_967_296

export const treeAt = (bytes: Buffer, at: number): TreeRecord => ({
  flags: bytes.readUInt16LE(at + 4),
  depth: bytes.readUInt16LE(at + 6),
  branchPages: longAt(bytes, at + 8),
  leafPages: longAt(bytes, at + 16),
  overflowPages: longAt(bytes, at + 24),
  entries: longAt(bytes, at + 32),
  root: longAt(bytes, at + 40),
})
