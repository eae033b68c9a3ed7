// Shows the number of rows and bytes of the chosen data before the download, and the download button.

import { useEffect, useState } from 'preact/hooks'
import type { Failure } from '../data/ask.ts'
import { Failed } from '../panels/states.tsx'
import { bytesText, countText } from '../state/number-text.ts'
import { requestPath } from './code.ts'
import { measured } from './measure.ts'
import type { Format, Take } from './requests.ts'
import { ROWS_MAX } from './requests.ts'
import { save } from './save.ts'
import type { Measured } from './size-of.ts'

const SETTLED_MS = 250

export function DownloadLine({ take, format, file }: { take: Take; format: Format; file: string }) {
  const [size, setSize] = useState<Measured | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    // Wait before requesting the size, so that browsing the choices does not request the size of each choice.
    const timer = setTimeout(() => {
      measured(take, format, abort.signal).then(setSize, (reason: Failure) => {
        if (!abort.signal.aborted) setFailure(reason)
      })
    }, SETTLED_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [])
  const start = () => {
    setFailure(null)
    save(requestPath({ origin: '', take, format, file }), file).catch(setFailure)
  }
  return (
    <>
      <div class="take-line">
        <button type="button" class="main" disabled={size?.rows === 0} onClick={start}>
          Download
        </button>
        <p aria-busy={size === null && failure === null} role="status">
          {size === null ? (failure === null ? 'Counting …' : '') : sizeText(size)}
          <br />
          <span class="quiet mono">{file}</span>
        </p>
      </div>
      {failure !== null && <Failed failure={failure} />}
    </>
  )
}

export function sizeText({ rows, bytes, isEstimate, hasMore }: Measured): string {
  if (hasMore) {
    const first = `The first ${countText(ROWS_MAX)} rows, ${isEstimate ? 'about ' : ''}${bytesText(bytes)}`
    return `${first}: the files of the day below have all rows`
  }
  if (rows === 0) return 'Nothing is stored of this'
  const count = rows === null || !isEstimate ? rows : Number(rows.toPrecision(2))
  const parts = [...(count === null ? [] : [count === 1 ? '1 row' : `${countText(count)} rows`]), bytesText(bytes)]
  return isEstimate ? `About ${parts.join(', ')}` : parts.join(', ')
}
