// Spilled messages come out market by market, each in its order, with all data that belongs to them.

import { expect, test } from 'bun:test'
import { closeSync } from 'node:fs'
import { kalshiDelta, kalshiTrade, received } from '../../test/model/lines.ts'
import { temporaryFolder } from '../../test/support/server.ts'
import { CaptureFeed } from '../capture/capture-feed.ts'
import type { CaptureMessage, MessageSink } from '../capture/capture-message.ts'
import { MarketSpill } from './market-spill.ts'

/** Collects what a sink gets, by market. */
class Collected implements MessageSink {
  readonly markets: string[] = []
  readonly messages: string[][] = []

  addMarket(venue: string, market: string, source: string | undefined): void {
    this.markets.push(`${venue} ${market} ${source}`)
    this.messages.push([])
  }

  place(market: number, { form, bytes, match, receivedMs, line, number }: CaptureMessage): void {
    const text = Buffer.from(bytes.subarray(match.messageStart, match.messageEnd)).toString()
    const slot = form.market
    const name = Buffer.from(bytes.subarray(match.starts[slot]!, match.ends[slot]!)).toString()
    this.messages[market]!.push(`${line} ${number} ${receivedMs} ${form.shape.kind} ${name} ${text}`)
  }
}

function feed(sink: MessageSink, lines: object[]): void {
  const of = new CaptureFeed(sink, () => undefined)
  for (const [i, line] of lines.entries()) {
    const bytes = Buffer.from(JSON.stringify(line))
    of.line(bytes, 0, bytes.length, i + 1)
  }
}

test.each([1, 3, 150])('%d markets', (count) => {
  using folder = temporaryFolder()
  const lines = Array.from({ length: 620 }, (_, i) => {
    const message = i % 5 === 0 ? kalshiTrade(i, `t${i}`) : kalshiDelta(i, '0.5', `${i}`)
    const of = {
      ...message,
      msg: {
        ...(message.msg as object),
        market_ticker: `KX-${(i * i) % count}`,
        ...(i % 7 !== 3 && { [`extra${i}`]: 'x'.repeat(200) }),
      },
    }
    return received(i, of as never)
  })
  const [spill, expected, found] = [new MarketSpill(folder.path), new Collected(), new Collected()]
  feed(spill, lines)
  feed(expected, lines)
  let first = 0
  for (const { marketCount, send } of spill.bundles()) {
    for (const _ of send(found, first)) expect(found.markets.length).toBeLessThanOrEqual(first + marketCount)
    first += marketCount
  }
  closeSync(spill.releaseFile()!)
  const byName = ({ markets, messages }: Collected) => new Map(markets.map((market, i) => [market, messages[i]]))
  expect(first).toBe(expected.markets.length)
  expect(byName(found)).toEqual(byName(expected))
})
