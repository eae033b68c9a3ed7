// Saves an answer on the reader's device. A link cannot send a key, so it contains a ticket instead; the browser then
// streams the answer to the disk, however long it is.

import type { DownloadTicket } from '../../src/client/backbook.d.ts'
import { post } from '../data/ask.ts'
import { key } from '../state/key.ts'

/** `path` is an address on this server with its query. Rejects with Failure. */
export async function save(path: string, name: string): Promise<void> {
  // Without a key, access is open or granted by address, and the server gives no tickets.
  const url = key.value === null ? path : (await post<DownloadTicket>('/download-tickets', { path })).url
  saveFrom(url, name)
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  saveFrom(url, name)
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
}

const REVOKE_AFTER_MS = 60_000

function saveFrom(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
