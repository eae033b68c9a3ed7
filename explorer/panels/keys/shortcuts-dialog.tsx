// Lists all keyboard shortcuts of the page, with a switch for single-letter ones.

import { areKeysOn, shortcuts, switchKeys } from '../../state/shortcuts.ts'
import { Modal, ModalHead } from '../modal.tsx'

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal label="Keyboard" className="shortcuts" onClose={onClose}>
      <ModalHead title="Keyboard" onClose={onClose} />
      <label class="check">
        <input
          type="checkbox"
          checked={areKeysOn.value}
          onChange={({ currentTarget }) => switchKeys(currentTarget.checked)}
        />
        Single letters and signs are shortcuts, except while you type
      </label>
      <dl class={areKeysOn.value ? '' : 'off'}>
        {shortcuts().map(({ keys, label }) => (
          <div key={label}>
            <dt>
              {keys.map((each) => (
                <kbd key={each}>{nameOf(each)}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}

const NAMES: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Control: 'Ctrl',
  Escape: 'Esc',
  ' ': 'Space',
}

/** Returns the keys of a shortcut as the keyboard labels them, such as `Ctrl K`. */
function nameOf(pressed: string): string {
  const parts = pressed === '+' ? [pressed] : pressed.split(/(?<=.)\+(?=.)/)
  const isHeldWith = parts.length > 1
  return parts.map((part) => NAMES[part] ?? (isHeldWith && part.length === 1 ? part.toUpperCase() : part)).join(' ')
}
