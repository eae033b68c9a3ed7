// The targets of `export --to`. A new target needs one line here.

import { hftbacktest } from './hftbacktest.ts'
import { nautilus } from './nautilus.ts'
import { parquetDataset } from './parquet-dataset.ts'
import { tardis } from './tardis.ts'
import type { ExportTarget } from './target.ts'

export const TARGETS: readonly ExportTarget[] = [nautilus, hftbacktest, tardis, parquetDataset]

export const TARGET_NAMES = TARGETS.map(({ name }) => name)
