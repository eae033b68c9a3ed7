// Whether what is shown grows by itself, and how old the newest message is.

import { useEffect, useRef, useState } from 'preact/hooks'
import { type Coverage, coverage } from '../data/answers.ts'
import { type Failure, trustCache } from '../data/ask.ts'
import { isPlaying } from '../replay/player.ts'
import { pass, view } from '../state/address.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { durationText } from '../state/time-text.ts'
import type { BookId, MarketView } from '../state/view.ts'
import { followMarket, type Told } from './follow-market.ts'
import { type Following, followed, followingOf, noticed } from './following.ts'
import { renewSince } from './renew.ts'

/** A market whose newest record is younger is followed without being asked to. */
const RECENT_MS = 10 * 60_000
const REFRESH_MS = 1_000
const TICK_MS = 500

type State = 'off' | 'connecting' | 'on' | 'waiting'

export function LiveMark({ shown, stored }: { shown: MarketView; stored: Coverage }) {
  const { book } = shown
  const lastMs = stored.dates.at(-1)?.last_timestamp ?? 0
  const [isWanted, setWanted] = useState(() => Date.now() - lastMs < RECENT_MS)
  const { state, newestMs, following, failure, follow } = useGrowth(book, isWanted, lastMs)
  const nowMs = useNow(isWanted)
  const toggle = () => setWanted(!isWanted)
  useShortcuts([{ keys: ['l'], label: 'Follow it live, or not', run: toggle }])
  const isAway = state === 'on' && !(following.span && following.cursor)
  return (
    <span class={`live ${state}`}>
      {isWanted && (
        <span class="quiet figures" title={failure?.message}>
          {toldOf(state, Math.max(0, nowMs - newestMs))}
        </span>
      )}
      {isAway && (
        <button type="button" title="Show the newest again, and keep showing it" onClick={follow}>
          Newest
        </button>
      )}
      <button
        type="button"
        aria-pressed={isWanted}
        aria-keyshortcuts="l"
        title="Follow it as it is recorded (l)"
        onClick={toggle}
      >
        <span class="dot" /> Live
      </button>
    </span>
  )
}

function toldOf(state: State, ageMs: number): string {
  if (state === 'connecting') return 'connecting …'
  const age = `newest message ${durationText(Math.floor(ageMs / 1_000) * 1_000)} old`.replace('.0 s', ' s')
  return state === 'waiting' ? `not connected, ${age}` : age.replace('0 ms', '< 1 s')
}

/** What is committed of the market from now on, shown as it comes. */
function useGrowth(book: BookId, isWanted: boolean, lastMs: number) {
  const [state, setState] = useState<State>('off')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [newestMs, setNewestMs] = useState(lastMs)
  const newest = useRef(lastMs)
  newest.current = Math.max(newest.current, lastMs)
  const following = useRef<Following>(followingOf(placeNow(), newest.current))
  useEffect(() => {
    if (!isWanted) return setState('off')
    setState('connecting')
    trustCache(false)
    following.current = followingOf(placeNow(), newest.current)
    const abort = new AbortController()
    let changedMs = Infinity
    const told = (messages: readonly Told[]) => {
      for (const { type, timestamp } of messages) {
        // What was merged into the past may be anywhere of the day.
        if (type === 'reset') changedMs = dayStart(newest.current)
        if (timestamp === undefined || (type === 'quote' && timestamp < newest.current)) continue
        changedMs = Math.min(changedMs, timestamp)
        newest.current = Math.max(newest.current, timestamp)
      }
    }
    const refresh = () => {
      if (changedMs === Infinity || document.hidden) return
      const dates = coverage(book).value?.dates ?? []
      renewSince(book, changedMs, dates)
      changedMs = Infinity
      setNewestMs(newest.current)
      if (!isPlaying.peek()) move(following, newest.current)
    }
    const timer = setInterval(refresh, REFRESH_MS)
    const changed = (reason: Failure | null) => {
      setFailure(reason)
      setState(reason === null ? 'on' : 'waiting')
    }
    followMarket(book, { told, changed }, abort.signal).catch(changed)
    return () => {
      clearInterval(timer)
      abort.abort()
      trustCache(true)
    }
  }, [book.venue, book.market, book.asset, isWanted])
  const place = placeNow()
  following.current = noticed(following.current, place, newest.current)
  const follow = () => {
    following.current = { span: true, cursor: true, put: { ...place, ...(place.fromMs === null && { toMs: null }) } }
    move(following, newest.current)
  }
  return { state, failure, newestMs, following: following.current, follow }
}

function move(following: { current: Following }, newestMs: number): void {
  const now = noticed(following.current, placeNow(), newestMs)
  const put = followed(now, newestMs)
  following.current = { ...now, put }
  if (now.span || now.cursor) pass({ ...put, ...(now.cursor && { record: null }) })
}

function placeNow() {
  const now = view.peek()
  if (now.page !== 'market') return { fromMs: null, toMs: null, atMs: null }
  const { fromMs, toMs, atMs } = now
  return { fromMs, toMs, atMs }
}

const dayStart = (ms: number) => Math.floor(ms / 86_400_000) * 86_400_000

function useNow(isRunning: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now())
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  return nowMs
}
