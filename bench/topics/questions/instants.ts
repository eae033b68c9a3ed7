// Measures the book at instants of a day of 2 million records, and the changes of blocks as rows.

import { DAY_MS } from '../../../storage/units.ts'
import { busyDays } from '../../datasets/busy-days.ts'
import { askNew } from '../../measure/new-questions.ts'
import { startBackbook } from '../../servers/backbook-server.ts'
import type { Topic } from '../../topic.ts'

/** Step between queries, ms or records. It is coprime to the number of ms and of records of a day, so that
 *  consecutive queries hit different blocks. */
const STRIDE = 7_368_787
/** Number of records of a full block. */
const CHANGES = 16_384

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const { data, busiest } = await busyDays(size)
    const { market, date, fromMs, recordCount } = busiest
    const server = await startBackbook(data)
    const book = `/api/v1/kalshi/market/book?ticker=${market}`
    const instant = (number: number) => `${book}&timestamp=${fromMs + (((1 + number) * STRIDE) % DAY_MS)}`
    const record = (number: number, step = 1) => (Math.floor((number * STRIDE) / step) * step) % recordCount
    await askNew(findings, server, { name: 'book at an instant', path: instant, target: { atMost: 3 } }, size)
    const top = {
      name: 'book at a record, ten levels',
      path: (n: number) => `${book}&date=${date}&record=${record(n)}&depth=10`,
    }
    await askNew(findings, server, { ...top, target: { atMost: 3 } }, size)
    const changes = `/api/v1/kalshi/market/book/changes?ticker=${market}&date=${date}&limit=${CHANGES}`
    for (const format of ['arrow', 'json']) {
      const path = (number: number) => `${changes}&record=${record(number, CHANGES)}&format=${format}`
      const questions = { name: `changes of ${CHANGES.toLocaleString('en-US')} records as ${format}`, path }
      await askNew(findings, server, { ...questions, ...(format === 'arrow' ? { target: { atMost: 6 } } : {}) }, size)
    }
    await server.stop()
  },
}
