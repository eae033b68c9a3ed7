// A table of the records around the cursor. A click on a row moves the cursor to the position after the row's record.

import type { ComponentChildren } from 'preact'
import { pause } from '../../replay/player.ts'
import { adjust } from '../../state/address.ts'
import { Heads } from '../heads.tsx'

/** `names` are the names of the columns. */
export function RecordTable({ names, children }: { names: readonly string[]; children: ComponentChildren }) {
  return (
    <table>
      <Heads names={names} />
      <tbody>{children}</tbody>
    </table>
  )
}

/** `ms` and `record` are the record's time and number; the cursor is after the current record. */
type RowProps = { ms: number; record: number | null; isCurrent: boolean; children: ComponentChildren }

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
