// The states of a panel without data: loading, or failed with the reason.

import { useEffect, useState } from 'preact/hooks'
import { type Failure, waiting } from '../data/ask.ts'
import { askAgain } from '../state/again.ts'
import { showDialog } from '../state/dialogs.ts'
import { key } from '../state/key.ts'
import { durationText } from '../state/time-text.ts'
import { KeyForm } from './key-form.tsx'

/** Shown over a chart whose data is loading. */
export const Loading = () => (
  <>
    <div class="loading" />
    {waiting.value > 0 && (
      <p class="busy" role="status">
        The server is busy: asking again …
      </p>
    )}
  </>
)

/** Longest wait that is counted down. Longer waits are shown without a countdown. */
const COUNTED_MS = 120_000
/** The least wait before a retry, even if the server requests none. */
const LEAST_MS = 1_000

/** `retry` repeats the failed request; by default all failed requests are repeated. */
export function Failed({ failure, retry = askAgain }: { failure: Failure; retry?: () => void }) {
  const { status, code, message, requestId, retryAfterMs } = failure
  const needsKey = status === 401
  return (
    <div class={needsKey && key.value === null ? 'note' : 'failed'} role="alert">
      <p>{needsKey && key.value === null ? 'The page is public, the data is not: it needs an API key.' : message}</p>
      {needsKey && (
        <>
          <KeyForm />
          <button type="button" class="link" onClick={() => showDialog('key')}>
            How to get one
          </button>
        </>
      )}
      {code === 'market_not_stored' && <p class="quiet">No data of this market was ever loaded here.</p>}
      {status === 503 && <p class="quiet">Three requests failed. Busy servers are free again in seconds.</p>}
      {isWorthwhile(failure) && <Again key={requestId} afterMs={retryAfterMs} retry={retry} />}
      <p class="quiet small">
        {code}
        {requestId !== null && `, request ${requestId}`}
      </p>
    </div>
  )
}

/** Returns whether the same request may soon succeed. */
const isWorthwhile = ({ status, code }: Failure) =>
  status === 0 || status >= 500 || (status === 429 && code !== 'quota_exceeded')

/** A retry button. If the server gave a wait of at most COUNTED_MS, counts the wait down and then retries by itself. */
function Again({ afterMs, retry }: { afterMs: number | null; retry: () => void }) {
  const isCounted = afterMs !== null && afterMs <= COUNTED_MS
  const [leftMs, setLeftMs] = useState(isCounted ? Math.max(LEAST_MS, afterMs) : 0)
  useEffect(() => {
    if (!isCounted) return
    if (leftMs <= 0) return retry()
    const timer = setTimeout(() => setLeftMs(leftMs - 1_000), Math.min(1_000, leftMs))
    return () => clearTimeout(timer)
  }, [leftMs])
  return (
    <p>
      <button type="button" onClick={retry}>
        Try again
      </button>
      {isCounted && <span class="quiet"> by itself in {Math.max(0, Math.ceil(leftMs / 1_000))} s</span>}
      {afterMs !== null && !isCounted && <span class="quiet"> in {durationText(afterMs)}</span>}
    </p>
  )
}
