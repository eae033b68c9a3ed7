// A form to create a key: name, expiry date, and venues.

import { useState } from 'preact/hooks'
import { Failure } from '../../data/ask.ts'
import { makeKey } from '../../find/management.ts'
import { VENUES } from '../../state/view.ts'

export function NewKeyForm({ user, onSecret }: { user: string; onSecret: (name: string, secret: string) => void }) {
  const [failure, setFailure] = useState<Failure | null>(null)
  const make = async (form: HTMLFormElement) => {
    const given = new FormData(form)
    const text = (field: string) => String(given.get(field) ?? '').trim()
    const [name, date, scopes] = [text('name'), text('date'), text('scopes')]
    setFailure(null)
    try {
      const made = await makeKey(user, {
        name,
        ...(date !== '' && { expires_at: `${date}T00:00:00Z` }),
        ...(scopes !== '' && { scopes }),
      })
      form.reset()
      onSecret(name, made.data.api_key)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      setFailure(error)
    }
  }
  return (
    <form
      class="new-key"
      onSubmit={(event) => {
        event.preventDefault()
        void make(event.currentTarget)
      }}
    >
      <label>
        New key for
        <input name="name" required maxLength={200} placeholder="laptop" autoComplete="off" />
      </label>
      <label>
        until the start of (UTC)
        <input name="date" type="date" />
      </label>
      <label>
        venues
        <select name="scopes">
          <option value="">both</option>
          {VENUES.map((venue) => (
            <option key={venue} value={venue}>
              {venue}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="main">
        Create the key
      </button>
      {failure !== null && <p role="alert">{failure.message}</p>}
    </form>
  )
}
