// A button that opens the display choices, and the legend of the colours.

import { useEffect, useRef, useState } from 'preact/hooks'
import { lazy } from '../panels/lazy.tsx'
import { adjust } from '../state/address.ts'
import { sizeText } from '../state/number-text.ts'
import { isDark } from '../state/theme.ts'
import type { Stretch } from '../state/view.ts'
import { attachContrastDrag } from './gestures/contrast-drag.ts'
import { gradientOf } from './palette.ts'
import type { Scale } from './size-scale.ts'

const DisplayChoices = lazy(async () => (await import('./display-choices.tsx')).DisplayChoices)

export type MenuProps = { stretch: Stretch; scale: Scale }

export function DisplayMenu({ stretch, scale }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => closeWhenLeft(menu.current!), [])
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {stretch.chart === 'depth' && <Legend {...{ stretch, scale }} />}
      <details class="menu" ref={menu} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Display</summary>
        {isOpen && <DisplayChoices {...{ stretch, scale }} />}
      </details>
    </>
  )
}

export function Legend({ stretch, scale }: MenuProps) {
  const ramp = useRef<HTMLSpanElement>(null)
  const latest = useRef({ cutOff: stretch.cutOff, ...scale })
  latest.current = { cutOff: stretch.cutOff, ...scale }
  useEffect(
    () =>
      attachContrastDrag(
        ramp.current!,
        () => latest.current,
        (cutOff) => adjust({ cutOff }),
      ),
    [],
  )
  const { bid, ask } = gradientOf(stretch.palette, isDark.value)
  return (
    <span
      class="size-legend"
      title="Contracts that rest at a price: drag an end for contrast, the middle for the smallest"
    >
      bids{' '}
      <span class="ramp" ref={ramp}>
        <i style={{ background: bid }} />
        <i style={{ background: ask }} />
      </span>{' '}
      asks
      <span>
        {sizeText(Number(scale.faintest.toPrecision(2)))} to {sizeText(scale.highest)}
      </span>
    </span>
  )
}

/** Closes the menu on Escape and on a press outside it; returns a function that removes the listeners. */
function closeWhenLeft(menu: HTMLDetailsElement): () => void {
  const press = (event: Event) => {
    if (!menu.contains(event.target as Node)) menu.open = false
  }
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')!.focus()
  }
  addEventListener('pointerdown', press)
  menu.addEventListener('keydown', key)
  return () => {
    removeEventListener('pointerdown', press)
    menu.removeEventListener('keydown', key)
  }
}
