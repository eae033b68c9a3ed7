// Shows what was shown before the last gesture.

import { canGoBack, goBack } from '../state/back.ts'

export const BackButton = () => (
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
)
