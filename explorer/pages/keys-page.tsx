// Shows a user's keys and their usage, if the operator allows this browser to see them.

import { useState } from 'preact/hooks'
import { adminToken, keysOf, type UserUsage, usageOf, useAdminToken, user, useUser } from '../find/management.ts'
import { usePolled } from '../find/polled.ts'
import { KeyTable } from '../panels/keys/key-table.tsx'
import { NewKeyForm } from '../panels/keys/new-key-form.tsx'
import { Secret } from '../panels/keys/secret.tsx'
import { UsagePanel } from '../panels/keys/usage-panel.tsx'
import { Failed } from '../panels/states.tsx'
import { askAgain } from '../state/again.ts'

const EVERY_MS = 30_000
const USAGE_DAYS = 30

export function KeysPage() {
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null)
  const name = `${user.value} ${adminToken.value}`
  const keys = usePolled(name, () => keysOf(user.value), EVERY_MS)
  const usage = usePolled<UserUsage>(name, () => usageOf(user.value, USAGE_DAYS, Date.now()), EVERY_MS)
  const refusal = keys.failure?.code ?? ''
  const needsToken = refusal === 'admin_token_missing' || refusal === 'admin_token_wrong'
  const isAllowed = keys.failure === null && keys.value !== null
  const showSecret = (name: string, secret: string) => {
    setMade({ name, secret })
    askAgain()
  }
  return (
    <main class="keys">
      <h1>Keys and usage</h1>
      <form
        class="key-form"
        onSubmit={(event) => {
          event.preventDefault()
          setMade(null)
          useUser(String(new FormData(event.currentTarget).get('user')).trim())
        }}
      >
        <label for="user">User</label>
        <span class="row">
          <input id="user" name="user" required maxLength={200} autoComplete="off" defaultValue={user.value} />
          <button type="submit">Show</button>
        </span>
      </form>
      {needsToken && <AdminToken isWrong={refusal === 'admin_token_wrong'} />}
      {refusal === 'management_closed' && (
        <div class="note">
          <p>Keys cannot be managed from here.</p>
          <p class="quiet">
            Only clients on the server's machine and holders of its admin token can manage keys: ask its operator.
          </p>
        </div>
      )}
      {keys.failure !== null && !needsToken && refusal !== 'management_closed' && <Failed failure={keys.failure} />}
      {made !== null && <Secret {...made} onDone={() => setMade(null)} />}
      {isAllowed && (
        <>
          <section aria-label="Keys">
            <h2>{user.value === 'me' ? 'Your keys' : `Keys of ${user.value}`}</h2>
            <KeyTable keys={keys.value!} user={user.value} onSecret={showSecret} />
            <NewKeyForm user={user.value} onSecret={showSecret} />
          </section>
          {usage.value !== null && <UsagePanel used={usage.value} days={USAGE_DAYS} keys={keys.value!} />}
        </>
      )}
      {adminToken.value !== null && (
        <p class="quiet">
          The admin token is known until this tab is closed.{' '}
          <button type="button" onClick={() => useAdminToken(null)}>
            Forget it
          </button>
        </p>
      )}
    </main>
  )
}

function AdminToken({ isWrong }: { isWrong: boolean }) {
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        useAdminToken(String(new FormData(event.currentTarget).get('token')).trim())
      }}
    >
      <label for="admin-token">Admin token of this server, for this session</label>
      <span class="row">
        <input id="admin-token" name="token" type="password" autoComplete="off" required />
        <button type="submit" class="main">
          Use this token
        </button>
      </span>
      {isWrong && <p role="alert">That is not this server’s admin token.</p>}
    </form>
  )
}
