// Records around the cursor as a table: whoever clicks a row puts the cursor behind its record.

import type { ComponentChildren } from 'preact'
import { pause } from '../../replay/player.ts'
import { adjust } from '../../state/address.ts'
import { Heads } from '../heads.tsx'

/** `names` are those of the columns. */
export function RecordTable({ names, children }: { names: readonly string[]; children: ComponentChildren }) {
  return (
    <table>
      <Heads names={names} />
      <tbody>{children}</tbody>
    </table>
  )
}

/** `ms` and `record` are its time and its place in the date; the cursor is behind the current one. */
type RowProps = { ms: number; record: number; isCurrent: boolean; children: ComponentChildren }

export function RecordRow({ ms, record, isCurrent, children }: RowProps) {
  return (
    <tr
      class={isCurrent ? 'current' : ''}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={() => {
        pause()
        adjust({ atMs: ms, record })
      }}
    >
      {children}
    </tr>
  )
}
