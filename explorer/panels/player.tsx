// The player's bar: steps, play, speed, and the clock.

import { useEffect, useRef } from 'preact/hooks'
import { isPlaying, isWaiting, pause, play, SPEEDS, skipsSilence, speed } from '../replay/player.ts'
import { type StepBy, step } from '../replay/steps.ts'
import { adjust } from '../state/address.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { dayStartMs, type Span } from '../state/shown.ts'
import { clockText } from '../state/time-text.ts'
import type { MarketView } from '../state/view.ts'
import { instantTyped } from './typed-instant.ts'

const STEPS = [
  { by: 'trade', back: 'p', on: 'n', name: 'trade' },
  { by: 'quote', back: '<', on: '>', name: 'quote' },
  { by: 'message', back: ',', on: '.', name: 'message' },
] as const

export function Player({ view, span }: { view: MarketView; span: Span }) {
  const clock = useRef<HTMLInputElement>(null)
  /** Whether the speed was chosen with the pointer: then the keys are the player's again. */
  const isPointed = useRef(false)
  const toggle = () => (isPlaying.peek() ? pause() : play(span))
  const take = (by: StepBy, direction: 1 | -1) => void step(by, direction, span)
  useShortcuts([
    { keys: [' '], label: 'Play or pause', run: toggle },
    ...STEPS.flatMap(({ by, back, on, name }) => [
      { keys: [back], label: `The ${name} before`, run: (): void => take(by, -1) },
      { keys: [on], label: `The next ${name}`, run: (): void => take(by, 1) },
    ]),
    { keys: ['{'], label: 'Slower', run: () => faster(-1) },
    { keys: ['}'], label: 'Faster', run: () => faster(1) },
    { keys: ['s'], label: 'Skip silence, or not', run: toggleSilence },
    { keys: ['g'], label: 'Go to a time', run: () => clock.current?.select() },
    { keys: ['m'], label: 'Raw messages', run: () => adjust({ showsMessages: !view.showsMessages }) },
  ])
  useEffect(() => pause, [])
  const stepButton = ({ by, back, on, name }: (typeof STEPS)[number], direction: 1 | -1) => {
    const [key, label] = direction === 1 ? [on, `The next ${name}`] : [back, `The ${name} before`]
    return (
      <button
        key={by}
        type="button"
        aria-label={label}
        aria-keyshortcuts={key}
        title={`${label} (${key})`}
        onClick={() => take(by, direction)}
      >
        {direction === 1 ? `${name} ›` : `‹ ${name}`}
      </button>
    )
  }
  const playLabel = isPlaying.value ? 'Pause' : 'Play'
  return (
    <section
      class={`player${isWaiting.value ? ' waits' : ''}`}
      aria-label="Replay"
      onMouseDown={(event) => {
        // The space bar goes on playing after a click, and does not press the button again.
        if ((event.target as HTMLElement).closest('button') !== null) event.preventDefault()
      }}
    >
      <span class="choices">{STEPS.map((each) => stepButton(each, -1))}</span>
      <button type="button" class="play" aria-keyshortcuts="Space" title={`${playLabel} (Space)`} onClick={toggle}>
        {playLabel}
      </button>
      <span class="choices">{STEPS.toReversed().map((each) => stepButton(each, 1))}</span>
      <label>
        <span class="unseen">Speed</span>
        <select
          title="Speed ({ slower, } faster)"
          value={speed.value}
          onPointerDown={() => {
            isPointed.current = true
          }}
          onKeyDown={() => {
            isPointed.current = false
          }}
          onChange={({ currentTarget }) => {
            speed.value = Number(currentTarget.value)
            if (isPointed.current) currentTarget.blur()
          }}
        >
          {SPEEDS.map((each) => (
            <option key={each} value={each}>
              {each} ×
            </option>
          ))}
        </select>
      </label>
      <button type="button" aria-pressed={skipsSilence.value} aria-keyshortcuts="s" onClick={toggleSilence}>
        Skip silence
      </button>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          goTo(clock.current!, view, span)
        }}
      >
        <input
          ref={clock}
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
      <button
        type="button"
        class="messages-switch"
        aria-pressed={view.showsMessages}
        aria-keyshortcuts="m"
        title="Raw messages (m)"
        onClick={() => adjust({ showsMessages: !view.showsMessages })}
      >
        Messages
      </button>
    </section>
  )
}

function faster(by: 1 | -1): void {
  const at = SPEEDS.indexOf(speed.peek() as (typeof SPEEDS)[number]) + by
  speed.value = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))]!
}

function toggleSilence(): void {
  skipsSilence.value = !skipsSilence.peek()
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
