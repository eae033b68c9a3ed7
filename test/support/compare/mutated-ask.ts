// Makes answers wrong by changing one cell, to show that a comparison detects it.

import type { Random } from '../../../workers/synthetic/random.ts'
import type { Answer, Ask } from '../../model/questions/model-ask.ts'

/** Changes one cell, in the first answer with cells after `from` answers. `wasChanged` returns whether it did so. */
export function mutatedAsk(ask: Ask, random: Random, from: number): { ask: Ask; wasChanged: () => boolean } {
  let answers = 0
  let isChanged = false
  return {
    wasChanged: () => isChanged,
    ask: async (path, query) => {
      const answer = structuredClone(await ask(path, query))
      if (isChanged || answers++ < from) return answer
      isChanged = changeCell(answer, random)
      return answer
    },
  }
}

/** Changes a random cell, in `data` if it has any cells, else anywhere. Returns false if the answer has no cell. */
function changeCell(answer: Answer, random: Random): boolean {
  const cells: (() => void)[] = []
  collectCells('data' in answer ? { data: answer['data'] } : answer, cells)
  if (cells.length > 0) random.pick(cells)()
  return cells.length > 0
}

function collectCells(holder: Record<string, unknown>, cells: (() => void)[]): void {
  for (const [key, value] of Object.entries(holder)) {
    if (Array.isArray(value) && value.length > 0) cells.push(() => value.splice(-1, 1))
    if (typeof value === 'object' && value !== null) collectCells(value as Record<string, unknown>, cells)
    else cells.push(() => Object.assign(holder, { [key]: changed(value) }))
  }
}

function changed(value: unknown): unknown {
  if (typeof value === 'number') return value === 0 ? 1e-6 : value * (1 + Number.EPSILON * 2)
  if (typeof value === 'boolean') return !value
  return value === null ? 0 : `${value}x`
}
