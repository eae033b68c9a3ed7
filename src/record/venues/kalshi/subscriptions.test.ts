// Tests the subscriptions of a connection against a simulated venue, which answers commands as the test says.

import { beforeEach, describe, expect, test } from 'bun:test'
import { FakeTime } from '../../../../test/support/venues/fake-time.ts'
import { type SentCommand, subscriptionLink } from '../../../../test/support/venues/subscription-link.ts'
import type { Command } from './commands.ts'
import { messagesIn } from './frame.ts'
import { Subscriptions } from './subscriptions.ts'

const REPLY_MS = 10_000
const tickers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `M-${from + index}`)

let time: FakeTime
/** The sent commands, parsed, each with its id. */
let sent: SentCommand[]
let events: string[]
let limit: number
let subscriptions: Subscriptions

function start(chunk = 100, hasLifecycle = false) {
  time = new FakeTime(1_786_410_000_000)
  sent = []
  events = []
  limit = 200
  const link = subscriptionLink(time, (nowMs) => subscriptions.due(nowMs), {
    sent: (command) => void sent.push(command),
    state: (name, fields) => void events.push(`${name} ${JSON.stringify(fields)}`),
    reconnect: (reason, because) => void events.push(`failed by ${reason}: ${because}`),
  })
  subscriptions = new Subscriptions(
    link,
    {
      ended: (channel, sid, { code }) => void events.push(`ended ${channel} ${sid} ${code}`),
      hasSentData: () => false,
      isNews: () => true,
      halveLimit: () => {
        limit = Math.max(1, Math.floor(limit / 2))
        return limit
      },
      refused: (refused) => void events.push(`refused ${refused.length}: ${refused[0]}`),
    },
    { chunk, replyMs: REPLY_MS, hasLifecycle },
  )
}

beforeEach(() => start())

const receive = (message: object) => subscriptions.read(messagesIn(JSON.stringify(message))![0]!)
const last = () => sent.at(-1)!
const asText = ({ command }: { command: Command }) =>
  command.cmd === 'subscribe'
    ? `subscribe ${command.channels.join('+')} ${command.tickers.length}`
    : `${command.cmd} ${command.sid} ${command.tickers.length}`
const commands = () => sent.map(asText)

const subscribed = (channel: string, sid: number, id = last().id) =>
  receive({ type: 'subscribed', id, msg: { channel, sid } })
const ok = (sid: number, id = last().id) => receive({ type: 'ok', id, sid, seq: 1, msg: { market_tickers: [] } })
const error = (code: number, id = last().id) => receive({ type: 'error', id, msg: { code, msg: 'text' } })
const ending = (code: number, sid?: number) => receive({ type: 'error', sid, msg: { code, msg: 'text' } })
const open = () => {
  subscribed('orderbook_delta', 1)
  subscribed('trade', 2)
}

describe('Subscriptions', () => {
  test('subscribes to both channels with one command, and adds further chunks to each, trades first', () => {
    subscriptions.add(tickers(250))
    expect(commands()).toEqual(['subscribe orderbook_delta+trade 100'])
    open()
    for (const sid of [2, 2, 1, 1]) ok(sid)
    expect(commands().slice(1)).toEqual([
      'add_markets 2 100',
      'add_markets 2 50',
      'add_markets 1 100',
      'add_markets 1 50',
    ])
    const named = sent.filter(({ command }) => !('sid' in command) || command.sid === 1)
    expect(named.flatMap(({ command }) => [...command.tickers])).toEqual(tickers(250))
    expect(sent.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
  })

  test('sends one command at a time', () => {
    subscriptions.add(tickers(2))
    subscriptions.add(tickers(2, 2))
    subscribed('orderbook_delta', 1)
    expect(commands()).toEqual(['subscribe orderbook_delta+trade 2'])
    subscribed('trade', 2)
    expect(commands().slice(1)).toEqual(['add_markets 2 2'])
  })

  test('deletes markets that are no longer wanted from both, but never the last one', () => {
    subscriptions.add(tickers(3))
    open()
    subscriptions.remove(['M-1'])
    ok(1)
    ok(2)
    expect(commands().slice(1)).toEqual(['delete_markets 1 1', 'delete_markets 2 1'])
    subscriptions.remove(['M-0', 'M-2'])
    expect(sent).toHaveLength(3)
    subscriptions.add(['M-2', 'M-7'])
    expect(commands().slice(3)).toEqual(['add_markets 2 1'])
    expect(last().command.tickers).toEqual(['M-7'])
  })

  test('takes `ok` for a `subscribe` that merged into an open subscription', () => {
    subscriptions.add(tickers(1))
    ok(4)
    ok(5)
    subscriptions.add(tickers(1, 1))
    expect(commands().slice(1)).toEqual(['add_markets 5 1'])
    ok(5)
    expect(commands().slice(2)).toEqual(['add_markets 4 1'])
  })

  test('a command without an answer fails the connection, once its time is over', async () => {
    subscriptions.add(tickers(1))
    subscribed('orderbook_delta', 1)
    await time.advance(REPLY_MS - 1)
    expect(events).toEqual([])
    await time.advance(1)
    expect(events).toEqual(['failed by silence: no answer to subscribe within 10000 ms'])
  })

  test('sends nothing, and waits for nothing, once it is closed', async () => {
    subscriptions.add(tickers(1))
    subscriptions.close()
    open()
    await time.advance(60_000)
    expect([sent.length, events, time.waiting]).toEqual([1, [], 0])
  })

  test('requests snapshots of subscribed markets, and takes a snapshot as the answer', () => {
    subscriptions.add(tickers(2))
    subscriptions.askSnapshots(['M-1', 'M-9'])
    open()
    expect(commands().slice(1)).toEqual(['get_snapshot 1 1'])
    receive({ type: 'orderbook_snapshot', id: last().id, sid: 1, seq: 4, msg: { market_ticker: 'M-1' } })
    subscriptions.askSnapshots(['M-0'])
    expect(last().command.tickers).toEqual(['M-0'])
  })

  test('does not request a snapshot that has arrived meanwhile', () => {
    subscriptions.add(tickers(1))
    subscriptions.askSnapshots(['M-0'])
    receive({ type: 'orderbook_snapshot', sid: 1, seq: 1, msg: { market_ticker: 'M-0' } })
    open()
    expect(sent).toHaveLength(1)
  })

  test('subscribes to the lifecycle without markets, and continues if it is refused', () => {
    start(100, true)
    subscriptions.add(tickers(1))
    open()
    expect(last().command).toEqual({ cmd: 'subscribe', channels: ['market_lifecycle_v2'], tickers: [] })
    error(8)
    expect(events.filter((text) => !text.startsWith('command_refused'))).toEqual([])
    subscriptions.add(tickers(1, 1))
    expect(last().command.cmd).toBe('add_markets')
  })
})

describe('codes of the venue', () => {
  const opened = (count: number) => {
    subscriptions.add(tickers(count))
    open()
    for (let left = count - 100; left > 0; left -= 100) ok(2)
    for (let left = count - 100; left > 0; left -= 100) ok(1)
    sent = []
  }

  test.each([10, 25])('%d ends a subscription, which is requested again in full after a pause', async (code) => {
    opened(150)
    ending(code, 1)
    expect(events.at(-1)).toBe(`ended orderbook_delta 1 ${code}`)
    expect(sent).toEqual([])
    await time.advance(1_000)
    expect(commands()).toEqual(['subscribe orderbook_delta 100'])
    subscribed('orderbook_delta', 3)
    expect(commands().slice(1)).toEqual(['add_markets 3 50'])
  })

  test('25 without a sid fails the connection, since any could have ended', () => {
    opened(1)
    ending(25)
    expect(events.at(-1)).toBe('failed by silence: the venue ended a subscription: text')
  })

  test('error 26 halves the limit, and moves the markets beyond it elsewhere', () => {
    opened(100)
    subscriptions.add(tickers(100, 100))
    error(26)
    expect(limit).toBe(100)
    expect(events.at(-1)).toBe('refused 100: M-100')
    expect(commands()).toEqual(['add_markets 2 100'])
  })

  test('26 for one channel takes the markets from the other as well', () => {
    opened(100)
    subscriptions.add(tickers(50, 100))
    ok(2)
    error(26)
    expect(events.at(-1)).toBe('refused 50: M-100')
    expect(commands()).toEqual(['add_markets 2 50', 'add_markets 1 50', 'delete_markets 2 50'])
  })

  test('26 for a first chunk is retried with fewer markets until they fit', () => {
    limit = 100
    subscriptions.add(tickers(100))
    error(26)
    error(26)
    expect(commands()).toEqual(['subscribe orderbook_delta+trade 100', 'subscribe orderbook_delta+trade 50'])
    expect(events.at(-1)).toBe('refused 50: M-50')
  })

  test('27 waits twice as long each time, and then sends the same command', async () => {
    opened(1)
    subscriptions.add(tickers(1, 1))
    error(27)
    await time.advance(999)
    expect(sent).toHaveLength(1)
    await time.advance(1)
    expect(sent).toHaveLength(2)
    error(27)
    await time.advance(1_999)
    expect(sent).toHaveLength(2)
    await time.advance(1)
    expect(commands()).toEqual(Array(3).fill('add_markets 2 1'))
    ok(2)
    expect(commands()).toHaveLength(4)
    expect(events.filter((text) => text.startsWith('failed'))).toEqual([])
  })

  test.each([10, 18])('%d as an answer is tried three times', async (code) => {
    opened(1)
    subscriptions.add(tickers(1, 1))
    for (const pauseMs of [1_000, 2_000]) {
      error(code)
      await time.advance(pauseMs)
    }
    expect(sent).toHaveLength(3)
    error(code)
    expect(events.at(-1)).toBe(`failed by silence: the venue answered add_markets with code ${code}: text`)
  })

  test('7 means that the subscription is gone', async () => {
    opened(1)
    subscriptions.add(tickers(1, 1))
    error(7)
    expect(events.at(-1)).toBe('ended trade 2 7')
    await time.advance(1_000)
    expect(commands().slice(1)).toEqual(['subscribe trade 2'])
  })

  test.each([8, 9])('%d fails the connection', (code) => {
    subscriptions.add(tickers(1))
    error(code)
    error(code)
    expect(events.at(-1)).toStartWith(`failed by silence: the venue answered subscribe with code ${code}`)
  })

  test('a refusal of one of two channels waits a moment for the other answer', async () => {
    subscriptions.add(tickers(1))
    subscribed('orderbook_delta', 1)
    error(18)
    await time.advance(5_000)
    expect(commands().slice(1)).toEqual(['subscribe trade 1'])
  })

  test('one bad market is found, and the others are recorded', async () => {
    const bad = 'M-37'
    const confirmed = new Set<string>()
    subscriptions.add(tickers(100))
    for (let answered = 0; answered < sent.length; answered++) {
      expect(answered).toBeLessThan(100)
      const { id, command } = sent[answered]!
      if (command.tickers.includes(bad)) {
        error(11, id)
        await time.advance(1_000)
      } else if (command.cmd === 'subscribe') {
        for (const channel of command.channels) subscribed(channel, channel === 'trade' ? 2 : 1, id)
        for (const ticker of command.tickers) confirmed.add(ticker)
      } else {
        ok('sid' in command ? command.sid : 0, id)
        for (const ticker of command.tickers) confirmed.add(ticker)
      }
    }
    expect(tickers(100).filter((ticker) => !confirmed.has(ticker))).toEqual([bad])
    expect(events.at(-1)).toContain('market_refused {"tickers":["M-37"]')
  })
})
