// Measures elapsed time, ms.

import { median } from './median.ts'

type Run = () => unknown

export async function elapsedMs(run: Run): Promise<number> {
  const startMs = performance.now()
  await run()
  return performance.now() - startMs
}

export async function medianMs(repetitions: number, run: Run): Promise<number> {
  const times: number[] = []
  for (let repetition = 0; repetition < repetitions; repetition++) times.push(await elapsedMs(run))
  return median(times)
}

/** Returns the median time of each run. The runs take turns, in reversed order each time, so that a slow moment of the
 *  machine affects all of them. */
export async function inTurn<Name extends string>(
  repetitions: number,
  runs: Record<Name, Run>,
): Promise<Record<Name, number>> {
  const names = Object.keys(runs) as Name[]
  const times = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const order = repetition % 2 === 0 ? names : [...names].reverse()
    for (const name of order) times.get(name)!.push(await elapsedMs(runs[name]))
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name)!)])) as Record<Name, number>
}
