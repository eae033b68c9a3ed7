// The dialog of the reader's key: shows which key is used, and replaces or removes this key.

import { go } from '../../state/address.ts'
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
        <p class="in-use">
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
      <HowToMakeOne onClose={onClose} />
    </Modal>
  )
}

/** Shortens a key; the start is enough to distinguish keys. */
const shortOf = (secret: string) => `${secret.slice(0, 7)}…`

function HowToMakeOne({ onClose }: { onClose: () => void }) {
  return (
    <div class="quiet how">
      <p>The operator of this server makes keys:</p>
      <code class="mono">backbook keys create --user me --name laptop</code>
      <p>
        With <code class="mono">LOCAL_ACCESS=open</code> its own machine needs no key. The page sends the key to this
        server only, and never puts it into a link.
      </p>
      <button
        type="button"
        class="link"
        onClick={() => {
          onClose()
          go({ page: 'keys' })
        }}
      >
        Manage keys, see usage
      </button>
    </div>
  )
}
