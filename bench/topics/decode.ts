// Measures the decoding of stored blocks: only the columns that a book needs, and all columns, as raw pages need them.

import { blockPart } from '../../storage/block-store.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import { openStore } from '../../storage/open-store.ts'
import { decodeWholeBlock } from '../../workers/block/decoded-block.ts'
import { bookColumns } from '../../workers/book/book-columns.ts'
import { busyDays } from '../datasets/busy-days.ts'
import { medianMs } from '../measure/timing.ts'
import type { Topic } from '../topic.ts'

const REPETITIONS = 9

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const { data, usual } = await busyDays(size)
    const { market, date, recordCount } = usual[0]!
    const store = openStore(data)
    const key = { venue: 'kalshi', market, date } as const
    const refs = (await store.catalogue.head(key))!.blocks.map(({ id }) => blockPart(id))
    const parts = await store.blocks.fetch(refs.map((part) => ({ key, ...part })))
    const blocks = refs.map((part) => parts.bytes(key, part))
    const repetitions = size === 'smoke' ? 2 : REPETITIONS
    const rate = (ms: number) => recordCount / (ms / 1_000)

    const directory = await medianMs(repetitions, () => blocks.map(decodeBlock))
    findings.figure('checksum and directory', rate(directory), 'records/s')
    const books = await medianMs(repetitions, () => blocks.map((bytes) => bookColumns(decodeBlock(bytes))))
    findings.figure('columns that a book needs', rate(books), 'records/s')
    const whole = await medianMs(repetitions, () => blocks.map((bytes) => decodeWholeBlock(decodeBlock(bytes))))
    findings.figure('all columns', rate(whole), 'records/s')
    const decoded = blocks.map((bytes) => bookColumns(decodeBlock(bytes)).recordCount)
    findings.answer(
      'records',
      decoded.reduce((sum, count) => sum + count, 0),
    )
    await store.close()
  },
}
