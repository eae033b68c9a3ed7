// Follows the visible markets as they grow: renews cached data and moves the view along.

import { useEffect, useRef, useState } from 'preact/hooks'
import { coverage } from '../data/answers.ts'
import { type Failure, trustCache } from '../data/ask.ts'
import { isPlaying } from '../replay/player.ts'
import { pass, view } from '../state/address.ts'
import type { BookId } from '../state/view.ts'
import { followMarkets } from './follow-markets.ts'
import { type Following, followed, followingOf, noticed } from './following.ts'
import { Growth, type StreamMessage } from './growth.ts'
import { isLive } from './is-live.ts'
import { renewSince } from './renew.ts'

const REFRESH_MS = 1_000

export type State = 'off' | 'connecting' | 'on' | 'waiting'

/** `lastMs` is the time of the newest record of any of the books. The books must stay the same while the component is
 *  mounted. */
export function useGrowth(books: readonly BookId[], isWanted: boolean, lastMs: number) {
  const [state, setState] = useState<State>('off')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [shownMs, setShownMs] = useState(lastMs)
  const newest = useRef(lastMs)
  newest.current = Math.max(newest.current, lastMs)
  const latest = useRef(books)
  latest.current = books
  const following = useRef<Following>(followingOf(placeNow(), newest.current))
  useEffect(() => {
    if (!isWanted) return setState('off')
    setState('connecting')
    trustCache(false)
    following.current = followingOf(placeNow(), newest.current)
    const growths = new Map(latest.current.map((book) => [marketOf(book), new Growth(lastOf(book))]))
    const received = (messages: readonly StreamMessage[]) => {
      for (const each of messages) growths.get(marketOf(each))?.received(each)
    }
    const refresh = () => {
      if (document.hidden) return
      let hasGrown = false
      for (const [market, growth] of growths) {
        const change = growth.take()
        if (change === null) continue
        hasGrown = true
        newest.current = Math.max(newest.current, growth.newestMs)
        for (const book of latest.current) if (marketOf(book) === market) renewSince(book, change)
      }
      if (!hasGrown) return
      setShownMs(newest.current)
      if (!isPlaying.peek()) move(following, newest.current)
    }
    const timer = setInterval(refresh, REFRESH_MS)
    const changed = (reason: Failure | null) => {
      setFailure(reason)
      setState(reason === null ? 'on' : 'waiting')
      isLive.value = reason === null
    }
    const abort = new AbortController()
    followMarkets([...growths.keys()], { received, changed }, abort.signal).catch(changed)
    return () => {
      clearInterval(timer)
      abort.abort()
      isLive.value = false
      trustCache(true)
    }
  }, [isWanted])
  const place = placeNow()
  following.current = noticed(following.current, place, newest.current)
  const follow = () => {
    following.current = { span: true, cursor: true, put: { ...place, ...(place.fromMs === null && { toMs: null }) } }
    move(following, newest.current)
  }
  return { state, failure, newestMs: shownMs, following: following.current, follow }
}

const marketOf = ({ venue, market }: { venue: string; market: string }): string => `${venue}:${market}`

/** Returns the time of the newest known record of a book's market; 0 if unknown. */
const lastOf = (book: BookId): number => coverage(book).value?.dates.at(-1)?.last_timestamp ?? 0

function move(following: { current: Following }, newestMs: number): void {
  const now = noticed(following.current, placeNow(), newestMs)
  const put = followed(now, newestMs)
  following.current = { ...now, put }
  if (now.span || now.cursor) pass({ ...put, ...(now.cursor && { record: null }) })
}

function placeNow() {
  const now = view.peek()
  if (now.page !== 'market' && now.page !== 'compare') return { fromMs: null, toMs: null, atMs: null }
  const { fromMs, toMs, atMs } = now
  return { fromMs, toMs, atMs }
}
