// The version of the program, from its package file; and which build of it this is.

import { version } from '../package.json'

/** What `bun run build` puts in the single binary in place of this name: revision, target and runtime. */
declare const BACKBOOK_BUILD: string

export const VERSION: string = version

/** As `--version` prints it. */
export const VERSION_LINE: string = typeof BACKBOOK_BUILD === 'undefined' ? VERSION : `${VERSION} (${BACKBOOK_BUILD})`
