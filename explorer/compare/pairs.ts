// Pairs of books that the reader saves on this device. Only the reader decides which books belong together.

import { signal } from '@preact/signals'
import { type BookId, parseBook, printBook } from '../state/view.ts'

export type Pair = { first: BookId; second: BookId; name: string }

const NAME = 'backbook-pairs'
const COUNT_MAX = 50

export const pairs = signal<readonly Pair[]>(pairsIn(localStorage.getItem(NAME)))

export function savePair(pair: Pair): void {
  write([pair, ...pairs.peek().filter((each) => !isSame(each, pair))].slice(0, COUNT_MAX))
}

export function forgetPair(pair: Pair): void {
  write(pairs.peek().filter((each) => !isSame(each, pair)))
}

export const isSaved = (first: BookId, second: BookId): boolean =>
  pairs.value.some((each) => isSame(each, { first, second }))

const isSame = (a: Omit<Pair, 'name'>, b: Omit<Pair, 'name'>): boolean =>
  printBook(a.first) === printBook(b.first) && printBook(a.second) === printBook(b.second)

function write(next: readonly Pair[]): void {
  pairs.value = next
  const saved = next.map(({ first, second, name }) => [printBook(first), printBook(second), name])
  localStorage.setItem(NAME, JSON.stringify(saved))
}

/** Reads the saved pairs; drops entries that this version cannot read. */
function pairsIn(text: string | null): Pair[] {
  try {
    const saved = JSON.parse(text ?? '[]') as unknown
    return Array.isArray(saved) ? saved.flatMap(pairIn).slice(0, COUNT_MAX) : []
  } catch {
    return []
  }
}

function pairIn(each: unknown): Pair[] {
  if (!Array.isArray(each) || !each.every((text) => typeof text === 'string')) return []
  const [first, second] = [parseBook(each[0] ?? null), parseBook(each[1] ?? null)]
  return first === null || second === null ? [] : [{ first, second, name: each[2] ?? '' }]
}
