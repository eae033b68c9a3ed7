// A button that switches something on or off. The button looks pressed while it is on.

type SwitchProps = { isOn: boolean; keys: string; title: string; onClick: () => void; children: string }

export const Switch = ({ isOn, keys, title, onClick, children }: SwitchProps) => (
  <button
    type="button"
    class="switch"
    aria-pressed={isOn}
    aria-keyshortcuts={keys}
    title={`${title} (${keys})`}
    onClick={onClick}
  >
    {children}
  </button>
)
