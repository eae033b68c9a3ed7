// A table of a user's keys. Asks for confirmation before an irreversible action.

import { useState } from 'preact/hooks'
import { Failure } from '../../data/ask.ts'
import { type Key, revokeKey, rotateKey } from '../../find/management.ts'
import { askAgain } from '../../state/again.ts'
import { Heads } from '../heads.tsx'
import { Failed } from '../states.tsx'

type Requested = { id: string; what: 'rotate' | 'revoke' }

export function KeyTable(props: {
  keys: readonly Key[]
  user: string
  onSecret: (name: string, secret: string) => void
}) {
  const { keys, user, onSecret } = props
  const [requested, setRequested] = useState<Requested | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  if (keys.length === 0) return <p class="quiet">This user has no key.</p>
  const act = async ({ id, what }: Requested, name: string) => {
    setRequested(null)
    setFailure(null)
    try {
      if (what === 'rotate') onSecret(name, (await rotateKey(user, id)).data.api_key)
      else await revokeKey(user, id)
      askAgain()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      setFailure(error)
    }
  }
  return (
    <>
      {failure !== null && <Failed failure={failure} />}
      <div class="scrolled-aside">
        <table class="list">
          <Heads names={['name', 'state', 'made', 'last used', 'expires', 'venues']}>
            <td />
          </Heads>
          <tbody>
            {keys.map(({ id, name, status, created_at, last_used_at, expires_at, scopes }) => (
              <tr key={id} class={status}>
                <td>
                  {name}
                  <span class="quiet mono id">{id}</span>
                </td>
                <td>{status}</td>
                <td>{minuteOf(created_at)}</td>
                <td>{last_used_at === null ? 'never' : minuteOf(last_used_at)}</td>
                <td>{expires_at === undefined ? 'never' : minuteOf(expires_at)}</td>
                <td>{scopes === undefined ? 'both' : scopes.join(', ')}</td>
                <td class="number">
                  {status !== 'revoked' &&
                    (requested?.id === id ? (
                      <>
                        {requested.what === 'revoke' ? 'It stops working.' : 'Its secret stops working.'}{' '}
                        <button type="button" onClick={() => act(requested, name)}>
                          {requested.what === 'revoke' ? 'Revoke it' : 'Give it a new one'}
                        </button>{' '}
                        <button type="button" class="plain" onClick={() => setRequested(null)}>
                          No
                        </button>
                      </>
                    ) : (
                      <>
                        {status === 'active' && (
                          <button
                            type="button"
                            aria-label={`New secret for ${name}`}
                            onClick={() => setRequested({ id, what: 'rotate' })}
                          >
                            New secret
                          </button>
                        )}{' '}
                        <button
                          type="button"
                          aria-label={`Revoke ${name}`}
                          onClick={() => setRequested({ id, what: 'revoke' })}
                        >
                          Revoke
                        </button>
                      </>
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Formats a time as `2026-07-20 12:00`, in UTC. */
const minuteOf = (time: string): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ')
