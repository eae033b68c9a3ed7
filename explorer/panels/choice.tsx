// A select field. After a choice with the pointer it releases the focus, so that keys reach the page again.

import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

type Props = {
  label: string
  title?: string
  value: string
  onChoose: (value: string) => void
  /** The options. */
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
