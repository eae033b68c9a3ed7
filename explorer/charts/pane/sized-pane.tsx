// A pane whose upper edge can be moved, by a drag or by the arrow keys, to change its height. A double click restores
// the default.

import { useRef } from 'preact/hooks'
import { Pane, type PaneProps } from './pane.tsx'
import { LEAST_PX, MOST_PX, paneHeight, setPaneHeight } from './pane-heights.ts'

const KEY_PX = 10

/** `heightPx` is the height until the reader chooses one. The pane is named after its label if it has no `name`. */
export function SizedPane(props: PaneProps) {
  const heightPx = paneHeight(props.label, props.heightPx)
  return (
    <div class="sized">
      <Edge label={props.label} heightPx={heightPx} />
      <Pane name={props.label} {...props} heightPx={heightPx} />
    </div>
  )
}

function Edge({ label, heightPx }: { label: string; heightPx: number }) {
  const grip = useRef<number | null>(null)
  const set = (px: number | null) => setPaneHeight(label, px)
  const release = () => {
    grip.current = null
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> takes no focus and no value
    <div
      class="pane-edge"
      role="separator"
      aria-orientation="horizontal"
      aria-label={`Height of ${label}`}
      aria-valuemin={LEAST_PX}
      aria-valuemax={MOST_PX}
      aria-valuenow={heightPx}
      tabIndex={0}
      title="Drag to resize; double-click for the usual height"
      onPointerDown={(event) => {
        grip.current = heightPx + event.clientY
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={({ clientY }) => grip.current !== null && set(grip.current - clientY)}
      onPointerUp={release}
      onPointerCancel={release}
      onDblClick={() => set(null)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
        event.preventDefault()
        event.stopPropagation()
        set(heightPx + (event.key === 'ArrowUp' ? KEY_PX : -KEY_PX))
      }}
    />
  )
}
