// Shows the open dialog, if there is one.

import { lazy } from '../panels/lazy.tsx'
import { Search } from '../panels/search/search.tsx'
import { closeDialog, type DialogName, openDialog } from '../state/dialogs.ts'

const DIALOGS = {
  search: Search,
  key: lazy(async () => (await import('../panels/keys/key-dialog.tsx')).KeyDialog),
  shortcuts: lazy(async () => (await import('../panels/keys/shortcuts-dialog.tsx')).ShortcutsDialog),
} satisfies Record<DialogName, unknown>

export function Dialogs() {
  if (openDialog.value === null) return null
  const Dialog = DIALOGS[openDialog.value]
  return <Dialog onClose={closeDialog} />
}
