// Shows a new key's secret. The server returns it only once.

import { useState } from 'preact/hooks'
import { askAgain } from '../../state/again.ts'
import { useKey } from '../../state/key.ts'
import { copyText } from '../../take/copy.ts'

export function Secret({ name, secret, onDone }: { name: string; secret: string; onDone: () => void }) {
  const [note, setNote] = useState('')
  return (
    <div class="note secret" role="status">
      <p>
        The secret of <b>{name}</b>. It is shown only this once: save it now.
      </p>
      <p class="mono">{secret}</p>
      <p>
        <button type="button" onClick={() => copyText(secret).then(() => setNote('Copied.'))}>
          Copy
        </button>{' '}
        <button
          type="button"
          onClick={() => {
            useKey(secret)
            askAgain()
            setNote('This tab uses it now.')
          }}
        >
          Use this key in this tab
        </button>{' '}
        <button type="button" onClick={onDone}>
          I have it
        </button>{' '}
        {note}
      </p>
    </div>
  )
}
