// The first block that lines of a capture make, as it is stored and decoded.

import type { Block } from '../../../storage/format/block.ts'
import { blockOf } from '../../../workers/block/block-builder.ts'
import { type DecodedBlock, decodeWholeBlock } from '../../../workers/block/decoded-block.ts'
import type { JsonObject } from '../../model/json.ts'
import { collectLines } from '../collected.ts'

export const storedBlock = (...lines: JsonObject[]): Block =>
  blockOf(collectLines(lines.map((line) => JSON.stringify(line)))[0]!.blocks[0]!)

export const decodedBlock = (...lines: JsonObject[]): DecodedBlock => decodeWholeBlock(storedBlock(...lines))
