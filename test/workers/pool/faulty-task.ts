// The entry module of threads, as in the program, except that reading fails for some requested markets.

import { existsSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import type { StorePlace } from '../../../storage/open-store.ts'
import { RowCatalogue } from '../../../storage/rows/catalogue/row-catalogue.ts'
import { answer, ready } from '../../../workers/pool/answer-task.ts'

export { answer, ready }

const read = RowCatalogue.prototype.market
const { place } = (Array.isArray(workerData) ? workerData.at(-1) : workerData) as { place: StorePlace }

// Simulates a machine on which no thread can start.
if (existsSync(`${place.folder}/no-thread-starts`)) throw new Error('no thread starts')

const soon = (work: () => unknown) => void setTimeout(work, 20)

const FAULTS: Record<string, () => void> = {
  KXEXIT: () => process.exit(3),
  KXBUG: () => {
    throw new TypeError('a bug in a task')
  },
  KXOUTSIDE: () =>
    soon(() => {
      throw new Error('a bug outside of every task')
    }),
  KXREJECTED: () => soon(() => Promise.reject(new Error('a promise that nobody looks at'))),
  KXMEMORY: () => new Uint8Array(2 ** 46),
  KXHEAP: () => {
    for (const arrays: unknown[] = []; ; ) arrays.push(new Array(2 ** 23).fill(arrays.length))
  },
  KXSTUCK: () => {
    for (;;);
  },
  KXSTUCKSOON: () =>
    soon(() => {
      for (;;);
    }),
}

RowCatalogue.prototype.market = function (venue, market) {
  FAULTS[market]?.()
  return read.call(this, venue, market.replace(/^KX(?:OUTSIDE|REJECTED|STUCKSOON)$/, 'KXTEST-1'))
}
