// Goal: within a recorded gap no book is known, and each message that is not stored falls within a gap, however far the
// recorder's clock is from the venue's. Tries random recordings of a recorder that is stopped, killed and started
// again.

import { expect, test } from 'bun:test'
import { effort, RUN_SEED } from '../run/effort.ts'
import { type Line, type RecordedMarket, recordAlone } from './one-recorder.ts'

const SEEDS = effort(3, 200)
/** Maximum time from the sending of a snapshot to the arrival of the message after it, ms. */
const WAY_MS = 130

type Span = { from: number; to: number }

const gapsIn = (lines: readonly Line[]): Span[] =>
  lines.filter(({ type }) => type === 'gap').map(({ msg }) => msg as unknown as Span)

/** Returns the spans in which the book is established. */
function establishedIn(lines: readonly Line[]): Span[] {
  const spans: Span[] = []
  let isOpen = false
  for (const { type, timestamp } of lines) {
    if (type === 'snapshot' && !isOpen) spans.push({ from: timestamp, to: Number.POSITIVE_INFINITY })
    if (type === 'gap' && isOpen) spans.at(-1)!.to = timestamp
    if (type === 'snapshot' || type === 'gap') isOpen = type === 'snapshot'
  }
  return spans
}

/** Returns the longest time within one gap during which the book is established, ms. */
function knownWithinGaps({ lines }: RecordedMarket): number {
  const established = establishedIn(lines)
  const shared = (gap: Span, { from, to }: Span) => Math.max(0, Math.min(to, gap.to) - Math.max(from, gap.from))
  return Math.max(0, ...gapsIn(lines).map((gap) => established.reduce((sum, span) => sum + shared(gap, span), 0)))
}

/** Returns the times of lost messages that fall in no gap, from `fromMs` on: before the first message with a time,
 *  the venue's clock is unknown. If this clock differs from the recorder's, a gap may end too early by the transit
 *  time of a message. */
function unreported({ lines, lost }: RecordedMarket, fromMs: number, skewMs: number): number[] {
  const gaps = gapsIn(lines)
  const shortMs = skewMs === 0 ? 0 : WAY_MS
  const isInGap = (atMs: number) => gaps.some(({ from, to }) => from <= atMs && atMs <= to + shortMs)
  return lost.map(({ atMs }) => atMs).filter((atMs) => atMs > fromMs && !isInGap(atMs))
}

const firstTimedMs = (markets: readonly RecordedMarket[]) =>
  Math.min(...markets.flatMap(({ lines }) => lines).flatMap(({ msg }) => (msg['ts_ms'] as number | undefined) ?? []))

test.each([-2_000, -1_000, -300, 0, 300, 2_000])(
  'no book is known within a gap, and no message is lost outside of gaps, with a clock %d ms ahead',
  async (skewMs) => {
    let lost = 0
    for (let seed = RUN_SEED; seed < RUN_SEED + SEEDS; seed++) {
      const markets = await recordAlone(seed, skewMs)
      const fromMs = firstTimedMs(markets)
      for (const market of markets) {
        lost += market.lost.length
        expect([seed, unreported(market, fromMs, skewMs)]).toEqual([seed, []])
        // The recorder's clock may have been ahead, and may have been set while the recorder did not run. So a gap
        // ends at a time of the recorder's clock.
        expect(knownWithinGaps(market)).toBeLessThan(Math.max(0, skewMs) + WAY_MS)
      }
    }
    expect(lost).toBeGreaterThan(0)
  },
  300_000,
)
