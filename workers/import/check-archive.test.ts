// Goal: a check reports what an import of the file would reject, with the same numbers and reasons.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { DAY_MS } from '../../storage/units.ts'
import { book, CONDITION, kalshiSnapshot, NOON, NOW, priceChange, received } from '../../test/model/lines.ts'
import { checkFile, importFile } from '../../test/support/import/import-text.ts'
import { withStore } from '../../test/support/store.ts'
import type { ArchiveFormat } from './archive.ts'
import { entitymlPages } from './formats/entityml-pages.ts'
import { kalshiTrades } from './formats/kalshi-trades.ts'
import { rawFrames } from './formats/raw-frames.ts'
import { restBooks } from './formats/rest-books.ts'

const BODY = { orderbook_fp: { yes_dollars: [['0.4000', '5.00']], no_dollars: [] } }
const text = (...lines: (object | string)[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')

type Case = { format: ArchiveFormat; file: string; rejected: number; first: { line: number; reason: string } }
const cases: Record<string, Case> = {
  'frames that are no JSON, are unknown, or of no market': {
    format: rawFrames,
    file: text(
      received(0, book(0, [['0.4', '1']], [])),
      'not json',
      '{"hello":1}',
      received(1, priceChange(1, { price: '0.4', size: '2' })),
      received(2, { ...priceChange(2, { price: '0.4', size: '3' }), market: '0x12' }),
    ),
    rejected: 3,
    first: { line: 2, reason: expect.stringContaining('the line is not JSON') },
  },
  'more than are told of': {
    format: rawFrames,
    file: text(received(0, book(0, [], [])), ...Array.from({ length: 30 }, (_, i) => `not json ${i}`)),
    rejected: 30,
    first: { line: 2, reason: expect.stringContaining('the line is not JSON') },
  },
  'snapshots without a time of any kind': {
    format: rawFrames,
    file: text(received(0, book(0, [], [])), kalshiSnapshot([['0.1000', '1.00']], []), 'not json'),
    rejected: 2,
    first: { line: 2, reason: expect.stringContaining('the message has no time') },
  },
  'books of REST without their time': {
    format: restBooks,
    file: text({ ticker: 'KXA', body: BODY }, { ticker: 'KXB', received_at: NOON, body: BODY }, { body: BODY }),
    rejected: 2,
    first: { line: 1, reason: expect.stringContaining('the message has no time') },
  },
  'what is no page': {
    format: entitymlPages,
    file: text({ data: [] }, { market_condition_id: CONDITION, data: [{ type: 'x' }] }),
    rejected: 2,
    first: { line: 1, reason: expect.stringContaining('must be a page') },
  },
  'what is no trade': {
    format: kalshiTrades,
    file: text(
      { trade_id: 'a', ticker: 'KXA', created_time: '2026-08-10T12:00:00Z', count_fp: 'x' },
      { ticker: 'KXA' },
    ),
    rejected: 1,
    first: { line: 2, reason: 'the trade has no trade_id' },
  },
}

for (const [name, { format, file, rejected, first }] of Object.entries(cases)) {
  test(`${format.name}, ${name}`, () =>
    withStore(async (store) => {
      const path = join(store.folder, 'checked.ndjson')
      await Bun.write(path, file)
      const report = await checkFile(format, path, null, NOW)
      expect(report.rejected).toBe(rejected)
      expect(report.rejects[0]).toEqual({ file: path, ...first })
      const { rows, messages, rejects } = await importFile(store, format, path, { loadingMs: NOW })
      expect(report).toMatchObject({ rows, messages, rejects })
    }))
}

test('both report a file that cannot be loaded because the clock of this machine is wrong', () =>
  withStore(async (store) => {
    const path = join(store.folder, 'later.ndjson')
    await Bun.write(path, text(received(0, priceChange(0, { price: '0.4', size: '1' }))))
    const loadingMs = NOON - 2 * DAY_MS
    const why = /later\.ndjson cannot be loaded: its records are of .* after the clock of this machine/
    await expect(checkFile(rawFrames, path, null, loadingMs)).rejects.toThrow(why)
    await expect(importFile(store, rawFrames, path, { loadingMs })).rejects.toThrow(why)
  }))
