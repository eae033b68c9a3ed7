// Ways to damage a store's file: a few bits or bytes, whole pages, its length. Pages of the index are damaged more
// often than blocks, although there are more blocks.

import type { Random } from '../../../../workers/synthetic/random.ts'

const PAGE = 4_096
const HEADER = 24
/** Bytes at the front of a page: its header and its first pointers. */
const FRONT = 64
const INDEX_FLAGS = [1, 2]

/** A damaged file. `older` is the same file at an earlier time. */
export type DamagedFile = { bytes: Buffer; kind: string }

export function inflict(sound: Buffer, older: Buffer, random: Random): DamagedFile {
  const bytes = Buffer.from(sound)
  const kind = random.pick(KINDS)
  const pages = Math.floor(bytes.length / PAGE)
  const page = () => pickPage(sound, pages, random)
  const at = (index: number) => bytes.subarray(index * PAGE, (index + 1) * PAGE)
  switch (kind) {
    case 'bits':
      for (let i = random.between(1, 4); i > 0; i--) bytes[offsetIn(page(), random)]! ^= 1 << random.below(8)
      break
    case 'bytes':
      for (let i = random.between(1, 8); i > 0; i--) bytes[offsetIn(page(), random)] = random.below(256)
      break
    case 'zeros': {
      const from = page() * PAGE + random.below(2) * random.below(PAGE)
      bytes.fill(0, from, Math.min(bytes.length, from + random.between(1, PAGE)))
      break
    }
    case 'page of zeros':
      at(page()).fill(0)
      break
    case 'page copied':
      at(page()).set(sound.subarray((random.below(pages) | 0) * PAGE).subarray(0, PAGE))
      break
    case 'pages swapped': {
      const [one, other] = [page(), page()]
      at(one).set(sound.subarray(other * PAGE, (other + 1) * PAGE))
      at(other).set(sound.subarray(one * PAGE, (one + 1) * PAGE))
      break
    }
    case 'page of noise':
      for (let i = page() * PAGE + HEADER * random.below(2), end = i + random.below(PAGE); i < end; i++) {
        if (i < bytes.length) bytes[i] = random.below(256)
      }
      break
    case 'half a page from before': {
      const index = page()
      if ((index + 1) * PAGE <= older.length) {
        const half = random.pick([0, 512, 2_048])
        at(index).set(older.subarray(index * PAGE + half, (index + 1) * PAGE), half)
      }
      break
    }
    case 'cut': {
      const cut = random.chance(0.5) ? random.below(bytes.length) : bytes.length - random.between(1, 3 * PAGE)
      return { bytes: bytes.subarray(0, Math.max(0, cut)), kind }
    }
  }
  return { bytes, kind }
}

const KINDS = [
  ...['bits', 'bits', 'bits', 'bits', 'bytes', 'bytes', 'zeros', 'page of zeros'],
  ...['page copied', 'pages swapped', 'page of noise', 'half a page from before', 'cut'],
] as const

function pickPage(file: Buffer, pages: number, random: Random): number {
  if (random.chance(0.1)) return random.below(2)
  const any = random.below(pages)
  if (random.chance(0.25)) return any
  for (let i = 0; i < pages; i++) {
    const page = (any + i) % pages
    if (page > 1 && INDEX_FLAGS.includes(file.readUInt16LE(page * PAGE + 18))) return page
  }
  return any
}

const offsetIn = (page: number, random: Random): number =>
  page * PAGE + (random.chance(0.4) ? random.below(FRONT) : random.below(PAGE))
