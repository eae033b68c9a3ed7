// The player's clock: shows the time, and moves to a time that the reader types.

import type { RefObject } from 'preact'
import { pause } from '../../replay/player.ts'
import { adjust } from '../../state/address.ts'
import { dayStartMs, type Span } from '../../state/shown.ts'
import { clockText } from '../../state/time-text.ts'
import type { MarketView } from '../../state/view.ts'
import { instantTyped } from './typed-instant.ts'

type Props = { view: MarketView; span: Span; input: RefObject<HTMLInputElement | null> }

export function PlayerClock({ view, span, input }: Props) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        goTo(input.current!, view, span)
      }}
    >
      <input
        ref={input as RefObject<HTMLInputElement>}
        class="clock"
        aria-label={`Time, ${view.zone}`}
        aria-keyshortcuts="g"
        title="Go to a time (g): 14:13:45.120, or with its date"
        spellcheck={false}
        autoComplete="off"
        value={view.atMs === null ? '' : clockText(view.atMs, view.zone)}
        placeholder="hh:mm:ss.mmm"
        onFocus={pause}
        onInput={({ currentTarget }) => currentTarget.setCustomValidity('')}
      />
    </form>
  )
}

function goTo(input: HTMLInputElement, view: MarketView, span: Span): void {
  const ms = instantTyped(input.value, view.atMs ?? span.fromMs, view.zone)
  input.setCustomValidity(ms === null ? 'A time as 14:13, 14:13:45.120 or 2026-07-20 14:13:45' : '')
  if (ms === null) return void input.reportValidity()
  const isShown = ms >= span.fromMs && ms <= span.toMs
  const isOtherDay = dayStartMs(ms) !== dayStartMs(span.fromMs)
  const half = Math.round((span.toMs - span.fromMs) / 2)
  const moved = isShown ? {} : isOtherDay ? { fromMs: null, toMs: null } : { fromMs: ms - half, toMs: ms + half }
  adjust({ atMs: ms, record: null, ...moved })
  input.blur()
}
