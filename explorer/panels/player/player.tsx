// The player's bar: steps, play, speed and clock.

import { useEffect, useRef } from 'preact/hooks'
import { direction, isPlaying, isWaiting, pause, play, SPEEDS, skipsSilence, speed } from '../../replay/player.ts'
import { notice, type StepBy, step } from '../../replay/steps.ts'
import { adjust } from '../../state/address.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import type { Span } from '../../state/shown.ts'
import type { MarketView } from '../../state/view.ts'
import { Choice } from '../choice.tsx'
import { HideFuture } from '../hide-future.tsx'
import { Switch } from '../switch.tsx'
import { askForMessages } from './messages-requested.ts'
import { PlayerClock } from './player-clock.tsx'

type Props = { view: MarketView; span: Span }
type Way = 1 | -1

/** Keys of the steps. Trades have letters: on many keyboards, Shift with `,` and `.` is already `<` and `>`. */
const STEPS = [
  { by: 'trade', back: 'p', on: 'n' },
  { by: 'quote', back: '<', on: '>' },
  { by: 'message', back: ',', on: '.' },
] as const

export function Player({ view, span }: Props) {
  const clock = useRef<HTMLInputElement>(null)
  const toggle = () => (isPlaying.peek() ? pause() : play(span))
  const show = (list: 'showsMessages' | 'showsTrades') => () => {
    if (!view[list]) askForMessages()
    adjust({ [list]: !view[list] })
  }
  const take = (by: StepBy, way: Way): void => void step(by, way, span)
  useShortcuts([
    { keys: [' '], label: 'Play or pause', run: toggle },
    ...STEPS.flatMap(({ by, back, on }) => [
      { keys: [back], label: `The ${by} before`, run: () => take(by, -1) },
      { keys: [on], label: `The next ${by}`, run: () => take(by, 1) },
    ]),
    { keys: ['{'], label: 'Slower', run: () => faster(-1) },
    { keys: ['}'], label: 'Faster', run: () => faster(1) },
    { keys: ['b'], label: 'Play backwards, or forwards', run: turn },
    { keys: ['s'], label: 'Skip silence, or not', run: toggleSilence },
    { keys: ['g'], label: 'Go to a time', run: () => clock.current?.select() },
    { keys: ['m'], label: 'Raw messages', run: show('showsMessages') },
    { keys: ['e'], label: 'Time and sales', run: show('showsTrades') },
  ])
  useEffect(() => pause, [])
  const playLabel = isPlaying.value ? 'Pause' : 'Play'
  return (
    <section
      class={`player${isWaiting.value ? ' waits' : ''}`}
      aria-label="Replay"
      onMouseDown={(event) => {
        // Keep the focus off the button, so that the space bar still plays and pauses instead of pressing it again.
        if ((event.target as HTMLElement).closest('button') !== null) event.preventDefault()
      }}
    >
      <Steps way={-1} take={take} />
      <button type="button" class="play" aria-keyshortcuts="Space" title={`${playLabel} (Space)`} onClick={toggle}>
        {playLabel}
      </button>
      <Steps way={1} take={take} />
      <Speed />
      <Switch isOn={direction.value === -1} keys="b" title="Play backwards" onClick={turn}>
        Reverse
      </Switch>
      <Switch isOn={skipsSilence.value} keys="s" title="Pass over silence of 2 s and more" onClick={toggleSilence}>
        Skip silence
      </Switch>
      <HideFuture view={view} span={span} />
      <PlayerClock view={view} span={span} input={clock} />
      <output class="quiet">{notice.value}</output>
      <Switch isOn={view.showsTrades} keys="e" title="Time and sales" onClick={show('showsTrades')}>
        Trades
      </Switch>
      <Switch isOn={view.showsMessages} keys="m" title="Raw messages" onClick={show('showsMessages')}>
        Messages
      </Switch>
    </section>
  )
}

function Steps({ way, take }: { way: Way; take: (by: StepBy, way: Way) => void }) {
  const shown = way === 1 ? STEPS.toReversed() : STEPS
  return (
    <span class="choices">
      {shown.map(({ by, back, on }) => {
        const [key, label] = way === 1 ? [on, `The next ${by}`] : [back, `The ${by} before`]
        return (
          <button
            key={by}
            type="button"
            aria-label={label}
            aria-keyshortcuts={key}
            title={`${label} (${key})`}
            onClick={() => take(by, way)}
          >
            {way === 1 ? `${by} ›` : `‹ ${by}`}
          </button>
        )
      })}
    </span>
  )
}

const Speed = () => (
  <Choice
    label="Speed"
    title="Speed ({ slower, } faster)"
    value={String(speed.value)}
    onChoose={(value) => {
      speed.value = Number(value)
    }}
  >
    {SPEEDS.map((each) => (
      <option key={each} value={each}>
        {each} ×
      </option>
    ))}
  </Choice>
)

function faster(by: Way): void {
  const at = SPEEDS.indexOf(speed.peek() as (typeof SPEEDS)[number]) + by
  speed.value = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))]!
}

function turn(): void {
  direction.value = direction.peek() === 1 ? -1 : 1
}

function toggleSilence(): void {
  skipsSilence.value = !skipsSilence.peek()
}
