// Files that take the place of others, or come into a folder, belong to whom those do: commands are often run by root,
// and the server is not.

import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Gives a file the owner and the permissions of another. Does nothing where this user may not. */
export function keepOwner(from: string, to: string): void {
  const { uid, gid, mode } = statSync(from)
  chmodSync(to, mode & 0o777)
  if (process.getuid?.() === 0) chownSync(to, uid, gid)
}

/** Gives everything in a folder, and it, the owner of another folder. */
export function ownAs(folder: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(folder)
  const own = (entry: string) => {
    chownSync(entry, uid, gid)
    if (statSync(entry).isDirectory()) for (const name of readdirSync(entry)) own(join(entry, name))
  }
  own(path)
}
