// The version of the program, from its package file.

import { version } from '../package.json'

export const VERSION: string = version
