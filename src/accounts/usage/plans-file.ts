// Reads the plans from the configured file.

import { readFileSync } from 'node:fs'
import { builtInPlans, type Plans, readPlans } from './plans.ts'

/** Returns the plans of a file; the built-in plans if there is no file. Throws an Error that names the file and what is
 *  wrong in it. */
export function loadPlans(path: string | null): Plans {
  if (path === null) return builtInPlans()
  try {
    return readPlans(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new Error(`Cannot use the plans in ${path}: ${(error as Error).message}`)
  }
}
