// The program's version, from its package file, and its build.

import { version } from '../package.json'

/** Replaced by `bun run build` in the single binary: revision, target and runtime. */
declare const BACKBOOK_BUILD: string

export const VERSION: string = version

/** The text that `--version` prints. */
export const VERSION_LINE: string = typeof BACKBOOK_BUILD === 'undefined' ? VERSION : `${VERSION} (${BACKBOOK_BUILD})`
