// Checks FORMS.md: the program makes the page's shape, slots and columns from the page's example line.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { blockPart } from '../../../../storage/block-store.ts'
import { decodeBlock } from '../../../../storage/format/block.ts'
import { decodeWholeBlock } from '../../../../workers/block/decoded-block.ts'
import { withStoreOf } from '../../../support/store.ts'

const PAGE = await Bun.file(join(import.meta.dir, '../../../../FORMS.md')).text()
const LINE = /^\{"recv_ms".*$/m.exec(PAGE)![0]
/** Holds for each slot of the page, in the order of the slots: the end of the literal before the slot, and its
 *  value. */
const SLOTS = [...PAGE.matchAll(/^\| \d \| `([^`]+)` \| `([^`]+)` \|$/gm)].map(([, literal, value]) => ({
  literal,
  value,
}))
const KINDS = ['text', 'decimal', 'decimal', 'text', 'instant', 'decimal'] as const

const later = (count: number) =>
  LINE.replace('630150', String(630_150 + 100 * count))
    .replace('0.4800', count === 1 ? '0.4900' : '0.4800')
    .replace('"5.00"', `"${5 * (count + 1)}.00"`)

test('the program makes the documented form of the example', () =>
  withStoreOf('memory', async (store) => {
    await store.loadLines('lines', [0, 1, 2].map(later))
    const market = 'KXDEMO-T50'
    const [day] = await store.store.catalogue.heads('kalshi', market)
    const key = { venue: 'kalshi' as const, market, date: day!.date }
    const part = blockPart(day!.head.blocks[0]!.id)
    const block = decodeBlock((await store.store.blocks.fetch([{ key, ...part }])).bytes(key, part))
    expect(block.shapes.length).toBe(1)
    const { parts, slots, changes, timeSlot, ...shape } = block.shapes[0]!.shape
    const { msg } = JSON.parse(LINE).event
    const literals = parts.filter((each) => typeof each === 'string')
    expect(SLOTS.map(({ value }) => value)).toEqual(Object.values(msg).map(String))
    SLOTS.forEach(({ literal }, i) => {
      expect(literal!.endsWith(literals[i]!.replace(/^\{/, ''))).toBe(true)
    })
    expect({ ...shape, slots: slots.length, timeSlot }).toMatchObject({ kind: 'delta', slots: 6, timeSlot: 4 })
    expect(changes).toMatchObject({ price: { slot: 1 }, size: { slot: 2 }, side: 3, isSigned: true })
    const columns = decodeWholeBlock(block).shapes[0]!.slots
    expect(columns.map(({ form }) => form)).toEqual([...KINDS])
    expect(columns[1]).toMatchObject({ scale: 4, style: 'fixed' })
    expect([...(columns[1] as { values: Float64Array }).values]).toEqual([4_800, 4_900, 4_800])
    expect([...(columns[2] as { values: Float64Array }).values]).toEqual([500, 1_000, 1_500])
  }))
