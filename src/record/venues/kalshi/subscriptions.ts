// The subscriptions of one socket: one for each channel, with all markets of the connection. Compares the wanted
// markets with those that the venue has confirmed, and sends the difference, one command at a time. The markets of an
// open channel are changed with `update_subscription`: a second `subscribe` would be merged into the channel.

import type { Link } from '../../connection/venue-protocol.ts'
import {
  type Channel,
  type Command,
  commandText,
  ERROR_CODE,
  errorOf,
  type KalshiError,
  LIFECYCLE_CHANNEL,
  type SubscriptionLimits,
  type SubscriptionPort,
  verdictOn,
} from './commands.ts'
import { Difference } from './difference.ts'
import type { KalshiMessage } from './frame.ts'

/** Longest wait for the second answer to a command after a refusal. */
const SECOND_ANSWER_MS = 1_000
/** Pause before the next command after a refusal. It doubles each time until a command succeeds. */
const PAUSE_MS = 1_000
const PAUSE_MS_MAX = 60_000
/** Attempts of a command that the venue could not process. */
const TRIES_MAX = 3

type Pending = {
  id: number
  command: Command
  /** `open`: channels of a `subscribe` that are not confirmed. `refusals`: how many of these channels were refused.
   *  An error does not name its channel, so only the number is known. */
  open: Set<Channel>
  refusals: number
  error: KalshiError | undefined
  /** When the wait for an answer ends, ms of the monotonic clock. */
  dueMs: number
}

type SubscriptionLink = Pick<Link, 'send' | 'state' | 'reconnect' | 'monoMs' | 'wakeAt'>

export class Subscriptions {
  readonly #link: SubscriptionLink
  readonly #port: SubscriptionPort
  readonly #limits: SubscriptionLimits
  /** The markets that are wanted, and those that the venue has confirmed. */
  readonly #difference: Difference
  #lastId = 0
  #pending: Pending | undefined
  #tries = 0
  #pauseMs = PAUSE_MS
  /** End of the current pause, ms of the monotonic clock; Infinity without one. */
  #pausedUntilMs = Number.POSITIVE_INFINITY
  #isClosed = false

  constructor(link: SubscriptionLink, port: SubscriptionPort, limits: SubscriptionLimits) {
    this.#link = link
    this.#port = port
    this.#limits = limits
    this.#difference = new Difference(limits.chunk, limits.hasLifecycle)
  }

  get wanted(): ReadonlySet<string> {
    return this.#difference.wanted
  }

  takeLifecycle(): void {
    this.#difference.wantsLifecycle = true
    this.#sendNext()
  }

  add(tickers: Iterable<string>): void {
    this.#difference.add(tickers)
    this.#sendNext()
  }

  remove(tickers: Iterable<string>): void {
    this.#difference.remove(tickers)
    this.#sendNext()
  }

  /** Requests the current snapshots of these markets. */
  askSnapshots(tickers: Iterable<string>): void {
    this.#difference.askSnapshots(tickers)
    this.#sendNext()
  }

  /** Whether the venue has confirmed all channels of a market. */
  isConfirmed(ticker: string): boolean {
    return this.#difference.isConfirmed(ticker)
  }

  /** Whether the market's gap stays open after a snapshot of this market. Must be called for each snapshot. */
  isPartial(ticker: string): boolean {
    return this.#difference.isPartial(ticker)
  }

  close(): void {
    this.#isClosed = true
  }

  /** Handles the deadlines that have passed, and returns the next one; Infinity if there is none. */
  due(nowMs: number): number {
    if (this.#isClosed) return Number.POSITIVE_INFINITY
    if (this.#pausedUntilMs <= nowMs) {
      this.#pausedUntilMs = Number.POSITIVE_INFINITY
      this.#sendNext()
    }
    const pending = this.#pending
    if (pending !== undefined && pending.dueMs <= nowMs) {
      if (pending.error === undefined) this.#silent(pending)
      else this.#conclude(pending)
    }
    return Math.min(this.#pausedUntilMs, this.#pending?.dueMs ?? Number.POSITIVE_INFINITY)
  }

  /** Handles confirmations, refusals, and snapshots that answer a command. Ignores other messages. */
  read(message: KalshiMessage): void {
    if (this.#isClosed) return
    const { type, id } = message
    const pending = id !== undefined && id === this.#pending?.id ? this.#pending : undefined
    if (type === 'subscribed') this.#subscribed(message, pending)
    else if (type === 'ok' && pending !== undefined) this.#accepted(message, pending)
    else if (type === 'error') this.#refusal(message, pending)
    else if (type === 'unsubscribed') this.#unsubscribed(message)
    else if (type === 'orderbook_snapshot') this.#snapshot(message)
    if (type === 'orderbook_snapshot') return
    this.#difference.askWhole()
    this.#sendNext()
  }

  #subscribed({ msg, sid }: KalshiMessage, pending: Pending | undefined): void {
    const channel = msg['channel'] as Channel
    this.#opened(channel, sid, pending)
    if (pending?.open.delete(channel) === true && pending.open.size <= pending.refusals) this.#conclude(pending)
  }

  #opened(channel: Channel, sid: number | undefined, pending: Pending | undefined): void {
    const { command } = pending ?? {}
    this.#difference.opened(channel, sid, command?.cmd === 'subscribe' ? command.tickers : [])
  }

  // As the answer to a `subscribe`, `ok` means that the channel was already open: its subscription now has the markets.
  #accepted({ sid }: KalshiMessage, pending: Pending): void {
    const { command, open } = pending
    if (command.cmd === 'subscribe') {
      const channel = this.#difference.channelOf(sid) ?? [...open][0]!
      this.#opened(channel, sid, pending)
      open.delete(channel)
      if (open.size > pending.refusals) return
    } else this.#difference.changed(command)
    this.#conclude(pending)
  }

  #snapshot({ market, id }: KalshiMessage): void {
    if (market !== undefined) this.#difference.answered([market])
    const pending = this.#pending
    if (pending?.command.cmd !== 'get_snapshot') return
    if (id === pending.id || (market !== undefined && pending.command.tickers.includes(market))) this.#conclude(pending)
  }

  #refusal(message: KalshiMessage, pending: Pending | undefined): void {
    const error = errorOf(message)
    if (pending === undefined) return this.#unsolicitedError(message, error)
    pending.error = error
    pending.refusals++
    // A `subscribe` to two channels has two answers, or one answer for both. So after the first answer, waits a moment
    // for the second.
    if (pending.open.size > pending.refusals)
      pending.dueMs = this.#deadlineIn(Math.min(SECOND_ANSWER_MS, this.#limits.replyMs))
    else this.#conclude(pending)
  }

  // An error that ends a subscription answers no command. It has the sid of the subscription.
  #unsolicitedError({ sid }: KalshiMessage, error: KalshiError): void {
    this.#link.state('venue_error', { ...error, sid })
    if (verdictOn(error.code) !== 'ended' && error.code !== ERROR_CODE.channel) return
    const channel = this.#difference.channelOf(sid)
    if (channel === undefined) return this.#link.reconnect('silence', `the venue ended a subscription: ${error.text}`)
    this.#end(channel, error)
    this.#beginPause()
  }

  #unsubscribed({ sid }: KalshiMessage): void {
    const channel = this.#difference.channelOf(sid)
    if (channel === undefined) return
    this.#end(channel, { code: undefined, text: 'unsubscribed' })
    this.#beginPause()
  }

  #end(channel: Channel, error: KalshiError): void {
    this.#port.ended(channel, this.#difference.ended(channel), error)
  }

  #conclude(pending: Pending): void {
    if (this.#pending !== pending) return
    this.#pending = undefined
    if (pending.error !== undefined) this.#decide(pending, pending.error)
    else {
      this.#tries = 0
      this.#pauseMs = PAUSE_MS
      this.#difference.chunk = Math.min(this.#difference.chunk * 2, this.#limits.chunk)
      if (pending.command.cmd === 'get_snapshot') this.#difference.answered(pending.command.tickers)
    }
    this.#sendNext()
  }

  #decide(pending: Pending, error: KalshiError): void {
    const { command } = pending
    this.#link.state('command_refused', { cmd: command.cmd, ...error, tickers: command.tickers.length })
    const isLifecycle = command.cmd === 'subscribe' && command.channels.includes(LIFECYCLE_CHANNEL)
    const because = `the venue answered ${command.cmd} with code ${error.code ?? '?'}: ${error.text}`
    switch (isLifecycle && error.code !== ERROR_CODE.tooMany ? 'lifecycle' : verdictOn(error.code)) {
      case 'lifecycle':
        this.#difference.wantsLifecycle = false
        return
      case 'slow_down':
        return this.#beginPause()
      case 'again':
        if (++this.#tries >= TRIES_MAX) return this.#link.reconnect('silence', because)
        return this.#beginPause()
      case 'too_large':
        return this.#shrink(pending, because)
      case 'ended': {
        const channel = 'sid' in command ? this.#difference.channelOf(command.sid) : undefined
        if (channel !== undefined) this.#end(channel, error)
        return this.#beginPause()
      }
      case 'failed':
        return this.#link.reconnect('silence', because)
      default:
        return this.#isolate(command, because)
    }
  }

  // Moves the markets above the limit to other connections.
  #shrink({ command }: Pending, because: string): void {
    const limit = this.#port.halveLimit()
    const held = this.#difference.largest
    const room = Math.max(0, limit - held)
    // A single market on an empty subscription cannot be too many, so the fault is in the command.
    if (command.tickers.length === 1 && held === 0) return this.#isolate(command, because)
    const surplus = command.tickers.slice(room)
    this.remove(surplus)
    if (surplus.length > 0) this.#port.refused(surplus, because)
  }

  // Finds a bad ticker by halving the command, so that the others are recorded.
  #isolate(command: Command, because: string): void {
    if (command.cmd === 'get_snapshot') return this.#difference.answered(command.tickers)
    if (command.tickers.length > 1) {
      this.#difference.chunk = Math.ceil(command.tickers.length / 2)
      return
    }
    if (command.cmd === 'subscribe' && this.#difference.isJoined && command.channels.length > 1) {
      this.#difference.isJoined = false
      return
    }
    this.#difference.reject(command.tickers)
    this.#link.state('market_refused', { tickers: command.tickers, because })
  }

  #sendNext(): void {
    if (this.#isClosed || this.#pending !== undefined || this.#pausedUntilMs !== Number.POSITIVE_INFINITY) return
    const command = this.#difference.next()
    if (command === undefined) return
    const id = ++this.#lastId
    const open = new Set(command.cmd === 'subscribe' ? command.channels : [])
    const dueMs = this.#deadlineIn(this.#limits.replyMs)
    this.#pending = { id, command, open, refusals: 0, error: undefined, dueMs }
    this.#link.send(commandText(id, command))
  }

  #beginPause(): void {
    if (this.#pausedUntilMs !== Number.POSITIVE_INFINITY) return
    this.#pausedUntilMs = this.#deadlineIn(this.#pauseMs)
    this.#pauseMs = Math.min(2 * this.#pauseMs, PAUSE_MS_MAX)
  }

  #deadlineIn(ms: number): number {
    const atMs = this.#link.monoMs + ms
    this.#link.wakeAt(atMs)
    return atMs
  }

  // Handles a command without an answer. The venue sends no snapshot of a market that has no book. So the socket is
  // not at fault if other data arrives, or if an earlier request for these markets had no answer either.
  #silent(pending: Pending): void {
    const { cmd } = pending.command
    const { replyMs } = this.#limits
    const isExcused = () => this.#port.hasSentData(replyMs) || !this.#port.isNews(pending.command.tickers)
    if (cmd === 'get_snapshot' && isExcused()) return this.#conclude(pending)
    this.#link.reconnect('silence', `no answer to ${cmd} within ${replyMs} ms`)
  }
}
