// The subscriptions of one socket: one for each channel, with all markets of the connection. Compares the wanted
// markets with those that the venue has confirmed, and sends the difference, one command at a time. A second
// `subscribe` to an open channel would merge into it, so an open one is changed with `update_subscription`.

import type { Timers } from '../../../storage/retry/timers.ts'
import {
  type Channel,
  type Command,
  DATA_CHANNELS,
  ERROR_CODE,
  errorOf,
  type KalshiError,
  LIFECYCLE_CHANNEL,
  nextCommand,
  type Subscription,
  type SubscriptionLimits,
  type SubscriptionPort,
  verdictOn,
} from './commands.ts'
import type { KalshiMessage } from './frame.ts'
import { Pause } from './pause.ts'

/** Longest wait for the second answer to a command after a refusal. */
const SECOND_ANSWER_MS = 1_000
/** Attempts of a command that the venue could not process. */
const TRIES_MAX = 3

type Pending = {
  id: number
  command: Command
  /** Channels of a `subscribe` that are not confirmed, and how many of them were refused. An error does not name its
   *  channel. */
  open: Set<Channel>
  refusals: number
  error: KalshiError | undefined
  cancel: () => void
}

export class Subscriptions {
  readonly #port: SubscriptionPort
  readonly #timers: Timers
  readonly #limits: SubscriptionLimits
  readonly #wanted = new Set<string>()
  /** Markets that the venue refuses even alone. */
  readonly #rejected = new Set<string>()
  readonly #snapshots = new Set<string>()
  readonly #subscriptions = new Map<Channel, Subscription>()
  #chunk: number
  /** Whether one command subscribes to both channels. */
  #isJoined = true
  #lifecycle: 'wanted' | 'open' | 'refused'
  #lastId = 0
  #pending: Pending | undefined
  #tries = 0
  readonly #pause: Pause
  #isClosed = false

  constructor(port: SubscriptionPort, timers: Timers, limits: SubscriptionLimits) {
    this.#port = port
    this.#timers = timers
    this.#limits = limits
    this.#pause = new Pause(timers, () => this.#sendNext())
    this.#chunk = limits.chunk
    this.#lifecycle = limits.hasLifecycle ? 'wanted' : 'refused'
    for (const channel of DATA_CHANNELS) this.#subscriptions.set(channel, { sid: undefined, members: new Set() })
  }

  get wanted(): ReadonlySet<string> {
    return this.#wanted
  }

  takeLifecycle(): void {
    this.#lifecycle = 'wanted'
    this.#sendNext()
  }

  add(tickers: Iterable<string>): void {
    for (const ticker of tickers) this.#wanted.add(ticker)
    this.#sendNext()
  }

  remove(tickers: Iterable<string>): void {
    for (const ticker of tickers) {
      this.#wanted.delete(ticker)
      this.#snapshots.delete(ticker)
      this.#rejected.delete(ticker)
    }
    this.#sendNext()
  }

  /** Requests the current snapshots of these markets. */
  askSnapshots(tickers: Iterable<string>): void {
    for (const ticker of tickers) if (this.#wanted.has(ticker)) this.#snapshots.add(ticker)
    this.#sendNext()
  }

  /** Whether the venue has confirmed all channels of a market. */
  isConfirmed(ticker: string): boolean {
    return [...this.#subscriptions.values()].every(({ members }) => members.has(ticker))
  }

  channelOf(sid: number): Channel | undefined {
    for (const [channel, subscription] of this.#subscriptions) if (subscription.sid === sid) return channel
    return undefined
  }

  close(): void {
    this.#isClosed = true
    this.#pending?.cancel()
    this.#pause.cancel()
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
  }

  #subscribed({ msg, sid }: KalshiMessage, pending: Pending | undefined): void {
    const channel = msg['channel'] as Channel
    this.#opened(channel, sid, pending)
    if (pending?.open.delete(channel) === true && pending.open.size <= pending.refusals) this.#conclude(pending)
  }

  #opened(channel: Channel, sid: number | undefined, pending: Pending | undefined): void {
    if (channel === LIFECYCLE_CHANNEL) this.#lifecycle = 'open'
    const subscription = this.#subscriptions.get(channel)
    if (subscription === undefined) return
    subscription.sid = sid
    if (pending?.command.cmd === 'subscribe')
      for (const ticker of pending.command.tickers) subscription.members.add(ticker)
  }

  // As the answer to a `subscribe`, `ok` means that the channel was already open: its subscription now has the markets.
  #accepted({ sid }: KalshiMessage, pending: Pending): void {
    const { command } = pending
    if (command.cmd === 'subscribe') {
      const channel = (sid === undefined ? undefined : this.channelOf(sid)) ?? [...pending.open][0]!
      this.#opened(channel, sid, pending)
      pending.open.delete(channel)
      if (pending.open.size > pending.refusals) return
    } else {
      const channel = this.channelOf(command.sid)
      const members = channel === undefined ? undefined : this.#subscriptions.get(channel)!.members
      for (const ticker of command.tickers) {
        if (command.cmd === 'add_markets') members?.add(ticker)
        if (command.cmd === 'delete_markets') members?.delete(ticker)
      }
    }
    this.#conclude(pending)
  }

  #snapshot({ market, id }: KalshiMessage): void {
    if (market !== undefined) this.#snapshots.delete(market)
    const pending = this.#pending
    if (pending?.command.cmd !== 'get_snapshot') return
    if (id === pending.id || (market !== undefined && pending.command.tickers.includes(market))) this.#conclude(pending)
  }

  #refusal(message: KalshiMessage, pending: Pending | undefined): void {
    const error = errorOf(message)
    if (pending === undefined) return this.#unsolicitedError(message, error)
    pending.error = error
    pending.refusals++
    // A `subscribe` to two channels has two answers, or one for both: waits a moment for the other one.
    if (pending.open.size > pending.refusals) {
      pending.cancel()
      pending.cancel = this.#timers.after(Math.min(SECOND_ANSWER_MS, this.#limits.replyMs), () =>
        this.#conclude(pending),
      )
      return
    }
    this.#conclude(pending)
  }

  // An error that ends a subscription answers no command. It has the sid of the subscription.
  #unsolicitedError({ sid }: KalshiMessage, error: KalshiError): void {
    this.#port.note('venue_error', { ...error, sid })
    if (verdictOn(error.code) !== 'ended' && error.code !== ERROR_CODE.channel) return
    const channel = sid === undefined ? undefined : this.channelOf(sid)
    if (channel === undefined) return this.#port.failed(`the venue ended a subscription: ${error.text}`)
    this.#end(channel, error)
    this.#pause.begin()
  }

  #unsubscribed({ sid }: KalshiMessage): void {
    const channel = sid === undefined ? undefined : this.channelOf(sid)
    if (channel === undefined) return
    this.#end(channel, { code: undefined, text: 'unsubscribed' })
    this.#pause.begin()
  }

  #end(channel: Channel, error: KalshiError): void {
    const subscription = this.#subscriptions.get(channel)!
    const { sid } = subscription
    this.#subscriptions.set(channel, { sid: undefined, members: new Set() })
    this.#snapshots.clear()
    this.#port.ended(channel, sid, error)
  }

  #conclude(pending: Pending): void {
    if (this.#pending !== pending) return
    pending.cancel()
    this.#pending = undefined
    if (pending.error !== undefined) this.#decide(pending, pending.error)
    else {
      this.#tries = 0
      this.#pause.reset()
      this.#chunk = Math.min(this.#chunk * 2, this.#limits.chunk)
      if (pending.command.cmd === 'get_snapshot')
        for (const each of pending.command.tickers) this.#snapshots.delete(each)
    }
    this.#sendNext()
  }

  #decide(pending: Pending, error: KalshiError): void {
    const { command } = pending
    this.#port.note('command_refused', { cmd: command.cmd, ...error, tickers: command.tickers.length })
    const isLifecycle = command.cmd === 'subscribe' && command.channels.includes(LIFECYCLE_CHANNEL)
    const because = `the venue answered ${command.cmd} with code ${error.code ?? '?'}: ${error.text}`
    switch (isLifecycle && error.code !== ERROR_CODE.tooMany ? 'lifecycle' : verdictOn(error.code)) {
      case 'lifecycle':
        this.#lifecycle = 'refused'
        return
      case 'slow_down':
        return this.#pause.begin()
      case 'again':
        if (++this.#tries >= TRIES_MAX) return this.#port.failed(because)
        return this.#pause.begin()
      case 'too_large':
        return this.#shrink(pending, because)
      case 'ended': {
        const channel = 'sid' in command ? this.channelOf(command.sid) : undefined
        if (channel !== undefined) this.#end(channel, error)
        return this.#pause.begin()
      }
      case 'failed':
        return this.#port.failed(because)
      default:
        return this.#isolate(command, because)
    }
  }

  // Moves the markets above the limit to other connections.
  #shrink({ command }: Pending, because: string): void {
    const limit = this.#port.halveLimit()
    const held = Math.max(...Array.from(this.#subscriptions.values(), ({ members }) => members.size))
    const room = Math.max(0, limit - held)
    // One market alone is not too many.
    if (command.tickers.length === 1 && held === 0) return this.#isolate(command, because)
    const surplus = command.tickers.slice(room)
    this.remove(surplus)
    if (surplus.length > 0) this.#port.refused(surplus, because)
  }

  // Finds a bad ticker by halving the command, so that the others are recorded.
  #isolate(command: Command, because: string): void {
    if (command.cmd === 'get_snapshot') {
      for (const ticker of command.tickers) this.#snapshots.delete(ticker)
      return
    }
    if (command.tickers.length > 1) {
      this.#chunk = Math.ceil(command.tickers.length / 2)
      return
    }
    if (command.cmd === 'subscribe' && this.#isJoined && command.channels.length > 1) {
      this.#isJoined = false
      return
    }
    for (const ticker of command.tickers) this.#rejected.add(ticker)
    this.#port.note('market_refused', { tickers: command.tickers, because })
  }

  #sendNext(): void {
    if (this.#isClosed || this.#pending !== undefined || this.#pause.isOn) return
    const command = nextCommand({
      wanted: this.#wanted,
      rejected: this.#rejected,
      snapshots: this.#snapshots,
      subscriptions: this.#subscriptions,
      isJoined: this.#isJoined,
      wantsLifecycle: this.#lifecycle === 'wanted',
      chunk: this.#chunk,
    })
    if (command === undefined) return
    const id = ++this.#lastId
    const open = new Set(command.cmd === 'subscribe' ? command.channels : [])
    const { replyMs } = this.#limits
    const cancel = this.#timers.after(replyMs, () => this.#silent(pending))
    const pending: Pending = { id, command, open, refusals: 0, error: undefined, cancel }
    this.#pending = pending
    this.#port.send(id, command)
  }

  // Handles a command without an answer. A market without a book has no snapshot to send: the socket is not at fault if
  // other data arrives, or if these markets did not answer before.
  #silent(pending: Pending): void {
    const { cmd } = pending.command
    const { replyMs } = this.#limits
    const isExcused = () => this.#port.hasHeard(replyMs) || !this.#port.isNews(pending.command.tickers)
    if (cmd === 'get_snapshot' && isExcused()) return this.#conclude(pending)
    this.#port.failed(`no answer to ${cmd} within ${replyMs} ms`)
  }
}
