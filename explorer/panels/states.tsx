// What a panel shows while it has nothing to show, and why.

import type { Failure } from '../data/ask.ts'
import { key } from '../state/key.ts'

/** `retry` is left out where asking again changes nothing. */
export function Failed({ failure, retry }: { failure: Failure; retry?: () => void }) {
  return (
    <div class="failed" role="alert">
      <p>{failure.message}</p>
      <p class="quiet">
        {failure.code}
        {failure.requestId !== null && `, request ${failure.requestId}`}
        {failure.retryAfterMs !== null && `, again in ${Math.ceil(failure.retryAfterMs / 1000)} s`}
      </p>
      {failure.status === 401 && key.value === null && <p>Data needs a key: enter yours above.</p>}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}
