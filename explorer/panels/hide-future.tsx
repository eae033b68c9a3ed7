// A switch that hides what is later than the cursor.

import { adjust } from '../state/address.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import type { Span } from '../state/shown.ts'
import type { Stretch } from '../state/view.ts'
import { Switch } from './switch.tsx'

/** If there is no cursor, hiding the future first sets the cursor to the middle of the span. */
export function HideFuture({ view, span }: { view: Stretch; span: Span }) {
  const toggle = () => {
    const middleMs = Math.round((span.fromMs + span.toMs) / 2)
    adjust({ hidesFuture: !view.hidesFuture, atMs: view.atMs ?? middleMs })
  }
  useShortcuts([{ keys: ['h'], label: 'Hide what is later than the cursor, or not', run: toggle }])
  return (
    <Switch isOn={view.hidesFuture} keys="h" title="Hide what is later than the cursor" onClick={toggle}>
      Hide future
    </Switch>
  )
}
