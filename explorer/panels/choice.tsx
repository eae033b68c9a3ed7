// A choice of one of several. Chosen with the pointer, it leaves the keys to the page again.

import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

type Props = {
  label: string
  title?: string
  value: string
  onChoose: (value: string) => void
  /** Its options. */
  children: ComponentChildren
}

export function Choice({ label, title, value, onChoose, children }: Props) {
  const isPointed = useRef(false)
  return (
    <select
      aria-label={label}
      title={title ?? label}
      value={value}
      onPointerDown={() => {
        isPointed.current = true
      }}
      onKeyDown={() => {
        isPointed.current = false
      }}
      onChange={({ currentTarget }) => {
        onChoose(currentTarget.value)
        if (isPointed.current) currentTarget.blur()
      }}
    >
      {children}
    </select>
  )
}
