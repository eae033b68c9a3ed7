// Gives new files in a data folder the owner of what they replace or join: root often runs commands, but the server
// runs as another user.

import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Gives the file `to` the permissions of `from`, and its owner if this user is root. */
export function copyOwner(from: string, to: string): void {
  const { uid, gid, mode } = statSync(from)
  chmodSync(to, mode & 0o777)
  if (process.getuid?.() === 0) chownSync(to, uid, gid)
}

/** Gives a path and everything below it the owner of `folder`; does nothing unless this user is root. */
export function ownAs(folder: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(folder)
  const own = (entry: string) => {
    chownSync(entry, uid, gid)
    if (statSync(entry).isDirectory()) for (const name of readdirSync(entry)) own(join(entry, name))
  }
  own(path)
}
