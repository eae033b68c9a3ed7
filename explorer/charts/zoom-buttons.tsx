// Buttons that zoom, show the day, and undo the last gesture.

import type { ComponentChildren } from 'preact'
import { canGoBack, goBack } from '../state/back.ts'
import { type Shown, showDay, zoomIn, zoomOut } from './chart-keys.ts'

/** The children are buttons for more ranges. */
export const ZoomButtons = ({ shown, children }: { shown: Shown; children?: ComponentChildren }) => (
  <>
    <span class="choices">
      <button
        type="button"
        aria-label="Zoom out"
        aria-keyshortcuts="-"
        title="Zoom out (-)"
        onClick={() => zoomOut(shown)}
      >
        −
      </button>
      <button
        type="button"
        aria-label="Zoom in"
        aria-keyshortcuts="+"
        title="Zoom in (+)"
        onClick={() => zoomIn(shown)}
      >
        +
      </button>
      <button type="button" aria-keyshortcuts="0" title="All that is recorded of the day (0)" onClick={showDay}>
        Day
      </button>
      {children}
    </span>
    <button
      type="button"
      aria-label="What was shown before"
      aria-keyshortcuts="Control+Z"
      title="What was shown before (Ctrl Z)"
      disabled={!canGoBack()}
      onClick={goBack}
    >
      ↶
    </button>
  </>
)
