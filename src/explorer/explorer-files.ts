// The explorer's files when the program runs from source: bundled on first request. In the single binary, a module that
// holds them as text replaces this one.

import { resolve } from 'node:path'
import type { ExplorerFile } from './explorer-file.ts'

export async function explorerFiles(): Promise<ExplorerFile[]> {
  const { bundleExplorer } = await import('./bundle-explorer.ts')
  return bundleExplorer(resolve(import.meta.dir, '../..'))
}
