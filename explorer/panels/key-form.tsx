// A form to enter a key. It reloads the page, so that nothing loaded with another key remains.

import { useId, useState } from 'preact/hooks'
import { useKey } from '../state/key.ts'

export function KeyForm() {
  const [isForDevice, setForDevice] = useState(false)
  const id = useId()
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        const given = String(new FormData(event.currentTarget).get('key')).trim()
        if (given === '') return
        useKey(given, { isForDevice })
        location.reload()
      }}
    >
      <label for={id}>API key</label>
      <span class="row">
        <input id={id} name="key" type="password" autoComplete="off" spellcheck={false} placeholder="bb_…" required />
        <button type="submit" class="main">
          Use this key
        </button>
      </span>
      <label class="check">
        <input
          type="checkbox"
          checked={isForDevice}
          onChange={({ currentTarget }) => setForDevice(currentTarget.checked)}
        />
        Remember it on this device. Otherwise it is gone when this tab is closed.
      </label>
    </form>
  )
}
