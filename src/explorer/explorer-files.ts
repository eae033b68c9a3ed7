// The explorer's files while the program runs from source: bundled when they are first asked for. In the single binary
// a module that holds them as text stands in place of this one.

import { resolve } from 'node:path'
import type { ExplorerFile } from './explorer-file.ts'

export async function explorerFiles(): Promise<ExplorerFile[]> {
  const { bundleExplorer } = await import('./bundle-explorer.ts')
  return bundleExplorer(resolve(import.meta.dir, '../..'))
}
