// A dialog above the page. The dialog closes on Esc, on its button, or on a click outside it. The focus then returns to
// the element that had it before the dialog opened.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export function Modal({
  label,
  className = '',
  onClose,
  children,
}: {
  label: string
  className?: string
  onClose: () => void
  children: ComponentChildren
}) {
  const place = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = place.current!
    dialog.showModal()
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={place}
      class={`modal ${className}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={({ target }) => {
        if (target === place.current) onClose()
      }}
    >
      <div class="inside">{children}</div>
    </dialog>
  )
}

/** The first line of a dialog. */
export function ModalHead({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <header>
      <h2>{title}</h2>
      <button type="button" class="plain" aria-label="Close" onClick={onClose}>
        ✕
      </button>
    </header>
  )
}
