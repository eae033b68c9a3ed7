// The reader's key: which one is used, another one, or none.

import { isKeyOnDevice, key, useKey } from '../../state/key.ts'
import { KeyForm } from '../key-form.tsx'
import { Modal, ModalHead } from '../modal.tsx'

export function KeyDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal label="Key" className="key" onClose={onClose}>
      <ModalHead title="Key" onClose={onClose} />
      {key.value === null ? (
        <p>The page is public, the data is not: each request for data needs an API key.</p>
      ) : (
        <p class="used">
          <span>
            In use: <span class="mono">{shortOf(key.value)}</span>,{' '}
            {isKeyOnDevice() ? 'remembered on this device' : 'until this tab is closed'}
          </span>
          <button
            type="button"
            onClick={() => {
              useKey(null)
              location.reload()
            }}
          >
            Forget it
          </button>
        </p>
      )}
      <KeyForm />
      <HowToMakeOne />
    </Modal>
  )
}

/** Enough to tell one key from another. */
const shortOf = (secret: string) => `${secret.slice(0, 7)}…`

export function HowToMakeOne() {
  return (
    <p class="quiet">
      Whoever runs this server makes keys: <code class="mono">backbook keys create --user me --name laptop</code>. It
      can let this machine read without one: <code class="mono">LOCAL_ACCESS=open</code>. The key goes to this server
      alone, and never into a link.
    </p>
  )
}
