// Lines of a capture of others are passed on; of a line of several markets only what is chosen.

import { expect, test } from 'bun:test'
import { kalshiDelta, received } from '../../../test/model/lines.ts'
import { CollectedLines } from '../../../test/support/import/collected-lines.ts'
import type { ArchiveOptions } from '../archive.ts'
import { FrameLines } from './frame-lines.ts'

const delta = (ticker: string) => ({
  ...kalshiDelta(0, '0.5', '1'),
  msg: { ...kalshiDelta(0, '0.5', '1').msg, market_ticker: ticker },
})

function passed(texts: string[], markets: string[] | null) {
  const [lines, found] = [new CollectedLines(), [] as string[]]
  const options = { markets: markets && new Set(markets), onMarket: (market: string) => void found.push(market) }
  const frames = new FrameLines(lines, options as ArchiveOptions)
  for (const [i, text] of texts.entries()) {
    const bytes = Buffer.from(`<${text}>`)
    frames.line(bytes, 1, bytes.length - 1, i + 1)
  }
  return { lines: lines.all, rows: frames.rows, others: frames.others, found }
}

test('every line, where no markets are chosen', () => {
  const texts = [JSON.stringify(delta('KX-1')), 'no JSON']
  expect(passed(texts, null)).toEqual({ lines: [`1: ${texts[0]}`, '2: no JSON'], rows: 2, others: 0, found: [] })
})

test('lines of chosen markets as they are, also those without a message', () => {
  const texts = [JSON.stringify(delta('KX-1')), JSON.stringify(delta('KX-2')), 'no JSON']
  expect(passed(texts, ['KX-1'])).toEqual({
    lines: [`1: ${texts[0]}`, '3: no JSON'],
    rows: 3,
    others: 1,
    found: ['KX-1', 'KX-2'],
  })
})

test('the chosen messages of a line, with their receipt', () => {
  const both = [delta('KX-1'), delta('KX-2')]
  const { lines, others } = passed([JSON.stringify(received(5, both as never))], ['KX-2'])
  const { recv_ms } = received(5, {})
  expect([lines, others]).toEqual([[`1: {"recv_ms":${recv_ms},"msg":${JSON.stringify(both[1])}}`], 1])
})
