// Tests segments on disk: the form of a line, what a flush acknowledges, and what a failure leaves.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SegmentHeader, SegmentWriter } from './segment-writer.ts'

const START_NS = BigInt(Date.UTC(2026, 7, 12, 9, 15, 0)) * 1_000_000n
const HEADER: SegmentHeader = {
  venue: 'kalshi',
  recorder: 'home',
  connection: 'k1',
  url: 'wss://example.org/trade-api/ws/v2',
  useYesPrice: false,
  version: '1.0.0',
  clock: 'machine',
}
const decoder = new TextDecoder()
let folder: string
let nowNs: bigint

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'segment-'))
  nowNs = START_NS
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = (header: Partial<SegmentHeader> = {}) => new SegmentWriter(folder, { ...HEADER, ...header }, () => nowNs)
const pathOf = (name: string, end = '') => join(folder, 'segments', 'new', name + end)
const textOf = (path: string) => decoder.decode(Bun.zstdDecompressSync(readFileSync(path)))
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

describe('SegmentWriter', () => {
  test('takes its footer back if it cannot be closed, and closes later with more lines', () => {
    const segment = open()
    segment.frame('one', null, 1n)
    segment.flush()
    segment.frame('two', null, 2n)
    mkdirSync(join(pathOf(segment.name), 'in the way'), { recursive: true })
    expect(() => segment.close()).toThrow()
    expect(() => segment.close()).toThrow()
    segment.frame('three', null, 3n)
    rmSync(pathOf(segment.name), { recursive: true })
    segment.close()
    const text = textOf(pathOf(segment.name))
    expect(linesOf(text).map((line) => line.raw ?? line.backbook)).toEqual(['segment', 'one', 'two', 'three', 'footer'])
    const before = text.slice(0, text.lastIndexOf('{"backbook":"footer"'))
    expect(linesOf(text).at(-1)).toMatchObject({
      ...{ lines: { segment: 1, frame: 3 }, bytes: Buffer.byteLength(before) },
      sha256: createHash('sha256').update(before).digest('hex'),
    })
  })

  test('keeps a header that is not written yet when lines are dropped', () => {
    const segment = open()
    segment.frame('one', null, 1n)
    expect(segment.drop()).toEqual({ frame: 1, rest: 0, gap: 0, segment: 0 })
    segment.frame('two', null, 2n)
    segment.close()
    const text = textOf(pathOf(segment.name))
    expect(linesOf(text).map((line) => line.raw ?? line.backbook)).toEqual(['segment', 'two', 'footer'])
  })

  test('writes a header, lines as they came and a footer that counts them', () => {
    const segment = open()
    segment.frame('{"type":"trade","msg":{"a":"ä\\n"}}\n', START_NS + 7n, 12n)
    segment.frame('PONG', null, 13n)
    const first = segment.flush()
    expect(textOf(pathOf(segment.name, '.part'))).toBe(decoder.decode(first))
    nowNs += 5n
    segment.rest('{"orderbook_fp":{}}', START_NS + 9n, 'KXA-1')
    segment.gap({
      venue: 'kalshi',
      market: 'KXA-1',
      msg: { reason: 'disconnect', from: 1, to: 2, connection: 'k1', scope: 'book', closed_by: 'snapshot' },
    })
    segment.control('command', { text: 'subscribe', id: 4n, absent: undefined })
    segment.audit({ venue: 'kalshi', market: 'KXA-1', result: 'exact' })
    const last = segment.close({ frames_unknown: 0 })
    const text = textOf(pathOf(segment.name))
    expect(text).toBe(decoder.decode(first) + decoder.decode(last))
    const footerAt = text.lastIndexOf('{"backbook":"footer"')
    expect(linesOf(text)).toEqual([
      {
        ...{ backbook: 'segment', at_ns: Number(START_NS), format: 1, venue: 'kalshi', recorder: 'home' },
        ...{ connection: 'k1', url: HEADER.url, use_yes_price: false, version: '1.0.0', clock: 'machine' },
      },
      { recv_ns: Number(START_NS + 7n), mono_ns: 12, raw: '{"type":"trade","msg":{"a":"ä\\n"}}\n' },
      { recv_ns: null, mono_ns: 13, raw: 'PONG' },
      { recv_ns: Number(START_NS + 9n), source: 'rest', ticker: 'KXA-1', raw: '{"orderbook_fp":{}}' },
      {
        ...{ type: 'gap', venue: 'kalshi', market: 'KXA-1' },
        msg: { reason: 'disconnect', from: 1, to: 2, connection: 'k1', scope: 'book', closed_by: 'snapshot' },
      },
      { backbook: 'command', at_ns: Number(nowNs), text: 'subscribe', id: 4 },
      { backbook: 'audit', at_ns: Number(nowNs), venue: 'kalshi', market: 'KXA-1', result: 'exact' },
      {
        ...{ backbook: 'footer', at_ns: Number(nowNs) },
        lines: { frame: 2, rest: 1, gap: 1, segment: 1, command: 1, audit: 1 },
        bytes: Buffer.byteLength(text.slice(0, footerAt)),
        sha256: createHash('sha256').update(text.slice(0, footerAt)).digest('hex'),
        frames_unknown: 0,
      },
    ])
    expect(text).toContain(`{"recv_ns":${START_NS + 7n},"mono_ns":12,"raw":"{`)
  })

  test('names a segment by venue, day, time and recorder, and never opens a file again', () => {
    const [first, second] = [open(), open()]
    first.close()
    const third = open()
    expect([first, second, third].map(({ name }) => name)).toEqual([
      'kalshi/2026-08-12/091500-home-k1.ndjson.zst',
      'kalshi/2026-08-12/091500-home-k1-01.ndjson.zst',
      'kalshi/2026-08-12/091500-home-k1-02.ndjson.zst',
    ])
    expect(() => first.frame('x', null, 0n)).toThrow('is closed')
    for (const segment of [second, third]) segment.abandon()
  })

  test('is due at the next hour', () => {
    const segment = open()
    nowNs += 2_699_999_999_999n
    expect(segment.isDue()).toBe(false)
    nowNs += 1n
    expect(segment.isDue()).toBe(true)
    segment.abandon()
  })

  test('refuses an id that is not a valid file name', () => {
    expect(() => open({ connection: '../k1' })).toThrow('an id must be 1 to 64 of A-Z a-z 0-9 _ . -, got "../k1"')
  })

  test('writes nothing if nothing waits', () => {
    const segment = open()
    segment.flush()
    const bytes = segment.fileBytes
    expect(segment.flush()).toHaveLength(0)
    expect(segment.fileBytes).toBe(bytes)
    segment.abandon()
  })

  test('abandon leaves the flushed lines, and counts the others', () => {
    const segment = open()
    segment.frame('{}', 1n, 1n)
    const flushed = segment.flush()
    segment.frame('{}', 2n, 2n)
    expect(segment.abandon()).toEqual({ frame: 1, rest: 0, gap: 0 })
    expect(textOf(pathOf(segment.name, '.part'))).toBe(decoder.decode(flushed))
    expect(existsSync(pathOf(segment.name))).toBe(false)
  })

  test('a flush overwrites the bytes of a failed one', () => {
    const segment = open()
    const flushed = segment.flush()
    const path = pathOf(segment.name, '.part')
    truncateSync(path, segment.fileBytes + 1_000)
    segment.frame('{}', 1n, 1n)
    const more = segment.flush()
    expect(textOf(path)).toBe(decoder.decode(flushed) + decoder.decode(more))
    segment.abandon()
  })
})
