// Shows whether the page follows its markets live, and the age of the newest message.

import { useEffect, useState } from 'preact/hooks'
import { useShortcuts } from '../state/shortcuts.ts'
import { durationText } from '../state/time-text.ts'
import type { BookId } from '../state/view.ts'
import { type State, useGrowth } from './use-growth.ts'

/** The page follows a market from the start if the market's newest record is younger than this. */
const RECENT_MS = 10 * 60_000
const TICK_MS = 500

/** `lastMs` is the time of the newest record of any of the books. */
export function LiveMark({ books, lastMs }: { books: readonly BookId[]; lastMs: number }) {
  const [isWanted, setWanted] = useState(() => Date.now() - lastMs < RECENT_MS)
  const { state, newestMs, following, failure, follow } = useGrowth(books, isWanted, lastMs)
  const nowMs = useNow(isWanted)
  const toggle = () => setWanted(!isWanted)
  useShortcuts([{ keys: ['l'], label: 'Follow it live, or not', run: toggle }])
  const isAway = state === 'on' && !(following.span && following.cursor)
  return (
    <span class={`live ${state}`}>
      {isWanted && (
        <span class="quiet" title={failure?.message}>
          {ageText(state, Math.max(0, nowMs - newestMs))}
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

function ageText(state: State, ageMs: number): string {
  if (state === 'connecting') return 'connecting …'
  const age = `newest message ${durationText(Math.floor(ageMs / 1_000) * 1_000)} old`.replace('.0 s', ' s')
  return state === 'waiting' ? `not connected, ${age}` : age.replace('0 ms', '< 1 s')
}

function useNow(isRunning: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now())
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  return nowMs
}
