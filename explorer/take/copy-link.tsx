// A button that copies a link to what is shown.

import { useState } from 'preact/hooks'
import { view } from '../state/address.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import type { Span } from '../state/shown.ts'
import { printView } from '../state/view.ts'
import { copyText } from './copy.ts'

const SHOWN_MS = 2_000

export function CopyLink({ span }: { span: Span }) {
  const [hasCopied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(location.origin + printView(linked(span)))
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  useShortcuts([{ keys: ['y'], label: 'Copy a link to what is shown', run: () => void copy() }])
  return (
    <>
      <button type="button" title="Copy a link to what is shown (y)" aria-keyshortcuts="y" onClick={copy}>
        {hasCopied ? 'Copied' : 'Link'}
      </button>
      <span class="unseen" role="status">
        {hasCopied && 'The link is copied'}
      </span>
    </>
  )
}

/** Adds the span to the link even if the address omits it: the newest day is a different one tomorrow. */
function linked(span: Span) {
  const now = view.peek()
  return 'fromMs' in now ? { ...now, ...span } : now
}
