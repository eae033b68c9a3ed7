// The archive formats that can be imported, by name.

import type { ArchiveFormat } from '../archive.ts'
import { entitymlPages } from './entityml-pages.ts'
import { jonBeckerTrades } from './jon-becker-trades.ts'
import { kalshiTrades } from './kalshi-trades.ts'
import { pendulumflowV3 } from './pendulumflow-v3.ts'
import { pmxtKalshi } from './pmxt-kalshi.ts'
import { pmxtV2 } from './pmxt-v2.ts'
import { rawFrames } from './raw-frames.ts'
import { restBooks } from './rest-books.ts'
import { tardisBook } from './tardis/tardis-book.ts'
import { tardisTrades } from './tardis/tardis-trades.ts'

export const ARCHIVE_FORMATS: readonly ArchiveFormat[] = [
  pendulumflowV3,
  pmxtV2,
  pmxtKalshi,
  rawFrames,
  restBooks,
  entitymlPages,
  tardisBook,
  tardisTrades,
  kalshiTrades,
  jonBeckerTrades,
]

export const formatNamed = (name: string): ArchiveFormat | undefined =>
  ARCHIVE_FORMATS.find((format) => format.name === name)
