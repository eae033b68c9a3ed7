// The subscriptions of one connection: one for each channel, which carries all markets of the connection. What is
// wanted is compared with what the venue has confirmed, and the difference asked for, one command at a time. A second
// `subscribe` to an open channel would merge into it; so an open one is changed with `update_subscription`.

import type { Timers } from '../../../storage/retry/timers.ts'
import { type Channel, type Command, LIFECYCLE_CHANNEL } from './commands.ts'
import { ERROR_CODE, errorOf, type KalshiError, verdictOn } from './error-codes.ts'
import type { KalshiMessage } from './frame.ts'
import { DATA_CHANNELS, nextCommand, type Subscription } from './next-command.ts'
import { Pause } from './pause.ts'
import type { SubscriptionLimits, SubscriptionPort } from './subscription-port.ts'

/** How long the second answer to a command may stay behind a refusal. */
const SECOND_ANSWER_MS = 1_000
/** Tries of a command that the venue could not process. */
const TRIES_MAX = 3

type Asked = {
  id: number
  command: Command
  /** Channels of a `subscribe` that were not confirmed, and how many of them were refused: an error names none. */
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
  /** Markets that the venue refuses by themselves. */
  readonly #rejected = new Set<string>()
  readonly #snapshots = new Set<string>()
  readonly #subscriptions = new Map<Channel, Subscription>()
  #chunk: number
  /** Whether one command subscribes to both channels. */
  #isJoined = true
  #lifecycle: 'wanted' | 'open' | 'refused'
  #lastId = 0
  #asked: Asked | undefined
  #tries = 0
  readonly #pause: Pause
  #isClosed = false

  constructor(port: SubscriptionPort, timers: Timers, limits: SubscriptionLimits) {
    this.#port = port
    this.#timers = timers
    this.#limits = limits
    this.#pause = new Pause(timers, () => this.#ask())
    this.#chunk = limits.chunk
    this.#lifecycle = limits.hasLifecycle ? 'wanted' : 'refused'
    for (const channel of DATA_CHANNELS) this.#subscriptions.set(channel, { sid: undefined, members: new Set() })
  }

  get wanted(): ReadonlySet<string> {
    return this.#wanted
  }

  takeLifecycle(): void {
    this.#lifecycle = 'wanted'
    this.#ask()
  }

  add(tickers: Iterable<string>): void {
    for (const ticker of tickers) this.#wanted.add(ticker)
    this.#ask()
  }

  remove(tickers: Iterable<string>): void {
    for (const ticker of tickers) {
      this.#wanted.delete(ticker)
      this.#snapshots.delete(ticker)
      this.#rejected.delete(ticker)
    }
    this.#ask()
  }

  /** Asks for the books of these as they are now. */
  askSnapshots(tickers: Iterable<string>): void {
    for (const ticker of tickers) if (this.#wanted.has(ticker)) this.#snapshots.add(ticker)
    this.#ask()
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
    this.#asked?.cancel()
    this.#pause.cancel()
  }

  /** A confirmation, a refusal, or a snapshot that answers a command. Others change nothing. */
  read(message: KalshiMessage): void {
    if (this.#isClosed) return
    const { type, id } = message
    const asked = id !== undefined && id === this.#asked?.id ? this.#asked : undefined
    if (type === 'subscribed') this.#subscribed(message, asked)
    else if (type === 'ok' && asked !== undefined) this.#accepted(message, asked)
    else if (type === 'error') this.#refusal(message, asked)
    else if (type === 'unsubscribed') this.#unsubscribed(message)
    else if (type === 'orderbook_snapshot') this.#snapshot(message)
  }

  #subscribed({ msg, sid }: KalshiMessage, asked: Asked | undefined): void {
    const channel = msg['channel'] as Channel
    this.#opened(channel, sid, asked)
    if (asked?.open.delete(channel) === true && asked.open.size <= asked.refusals) this.#conclude(asked)
  }

  #opened(channel: Channel, sid: number | undefined, asked: Asked | undefined): void {
    if (channel === LIFECYCLE_CHANNEL) this.#lifecycle = 'open'
    const subscription = this.#subscriptions.get(channel)
    if (subscription === undefined) return
    subscription.sid = sid
    if (asked?.command.cmd === 'subscribe') for (const ticker of asked.command.tickers) subscription.members.add(ticker)
  }

  // To a `subscribe` it says that the channel was open already: the markets are in its subscription.
  #accepted({ sid }: KalshiMessage, asked: Asked): void {
    const { command } = asked
    if (command.cmd === 'subscribe') {
      const channel = (sid === undefined ? undefined : this.channelOf(sid)) ?? [...asked.open][0]!
      this.#opened(channel, sid, asked)
      asked.open.delete(channel)
      if (asked.open.size > asked.refusals) return
    } else {
      const channel = this.channelOf(command.sid)
      const members = channel === undefined ? undefined : this.#subscriptions.get(channel)!.members
      for (const ticker of command.tickers) {
        if (command.cmd === 'add_markets') members?.add(ticker)
        if (command.cmd === 'delete_markets') members?.delete(ticker)
      }
    }
    this.#conclude(asked)
  }

  #snapshot({ market, id }: KalshiMessage): void {
    if (market !== undefined) this.#snapshots.delete(market)
    const asked = this.#asked
    if (asked?.command.cmd !== 'get_snapshot') return
    if (id === asked.id || (market !== undefined && asked.command.tickers.includes(market))) this.#conclude(asked)
  }

  #refusal(message: KalshiMessage, asked: Asked | undefined): void {
    const error = errorOf(message)
    if (asked === undefined) return this.#unaskedError(message, error)
    asked.error = error
    asked.refusals++
    // A `subscribe` of two channels has two answers, or one for both: the other one is given a moment.
    if (asked.open.size > asked.refusals) {
      asked.cancel()
      asked.cancel = this.#timers.after(Math.min(SECOND_ANSWER_MS, this.#limits.replyMs), () => this.#conclude(asked))
      return
    }
    this.#conclude(asked)
  }

  // What ends a subscription answers no command, and names it.
  #unaskedError({ sid }: KalshiMessage, error: KalshiError): void {
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

  #conclude(asked: Asked): void {
    if (this.#asked !== asked) return
    asked.cancel()
    this.#asked = undefined
    if (asked.error !== undefined) this.#decide(asked, asked.error)
    else {
      this.#tries = 0
      this.#pause.reset()
      this.#chunk = Math.min(this.#chunk * 2, this.#limits.chunk)
      if (asked.command.cmd === 'get_snapshot') for (const each of asked.command.tickers) this.#snapshots.delete(each)
    }
    this.#ask()
  }

  #decide(asked: Asked, error: KalshiError): void {
    const { command } = asked
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
        return this.#shrink(asked, because)
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

  // The markets that are too many go to other connections.
  #shrink({ command }: Asked, because: string): void {
    const limit = this.#port.halveLimit()
    const held = Math.max(...Array.from(this.#subscriptions.values(), ({ members }) => members.size))
    const kept = Math.max(0, limit - held)
    // One market alone is not too many.
    if (command.tickers.length === 1 && held === 0) return this.#isolate(command, because)
    const over = command.tickers.slice(kept)
    this.remove(over)
    if (over.length > 0) this.#port.refused(over, because)
  }

  // One bad ticker must not keep the others from being recorded: it is found by halves.
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

  #ask(): void {
    if (this.#isClosed || this.#asked !== undefined || this.#pause.isOn) return
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
    const cancel = this.#timers.after(replyMs, () => this.#silent(asked))
    const asked: Asked = { id, command, open, refusals: 0, error: undefined, cancel }
    this.#asked = asked
    this.#port.send(id, command)
  }

  // A market without a book has none to send: while others are heard of, that is not the fault of the socket.
  #silent(asked: Asked): void {
    const { cmd } = asked.command
    const { replyMs } = this.#limits
    const isTold = () => this.#port.hasHeard(replyMs) || !this.#port.isNews(asked.command.tickers)
    if (cmd === 'get_snapshot' && isTold()) return this.#conclude(asked)
    this.#port.failed(`no answer to ${cmd} within ${replyMs} ms`)
  }
}
