// The bar above every page: home, and the reader's key.

import { key, useKey } from '../state/key.ts'

export function Top({ onHome }: { onHome: () => void }) {
  return (
    <nav class="top">
      <a
        href="/explore"
        onClick={(event) => {
          event.preventDefault()
          onHome()
        }}
      >
        backbook
      </a>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          useKey(new FormData(event.currentTarget).get('key') as string)
        }}
      >
        <input
          name="key"
          type="password"
          autoComplete="off"
          aria-label="API key"
          placeholder="API key"
          value={key.value ?? ''}
        />
      </form>
    </nav>
  )
}
