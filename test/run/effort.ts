// How much the tests try. The usual run is short, because a person waits for it. A long run (bun run test:long) tries
// more, with new seeds. A test checks the same in both.

export const IS_LONG = process.env['TEST_LONG'] === 'true'
/** True if no person waits for the run: a run in CI, or a long one. */
const IS_ALL = IS_LONG || process.env['TEST_ALL'] === 'true'

/** The commit's hash in a usual run, the time in a long one; test/run sets it, and prints it. */
export const RUN_SEED = Number(process.env['TEST_SEED'] ?? 1)
if (!Number.isSafeInteger(RUN_SEED))
  throw new Error(`TEST_SEED must be a whole number, got "${process.env['TEST_SEED']}"`)

/** Returns `usual`, or `long` in a long run. */
export const effort = (usual: number, long: number): number => (IS_LONG ? long : usual)

/** Returns one of `parts` parts, which the commit's hash chooses; in a long run, all parts. */
export const partOf = <T>(all: readonly T[], parts: number): T[] =>
  all.filter((_, index) => IS_LONG || index % parts === RUN_SEED % parts)

/** Works like `partOf`, but CI's run also tries all parts. */
export const partWhileWaiting = <T>(all: readonly T[], parts: number): T[] => (IS_ALL ? [...all] : partOf(all, parts))

/** Returns `usual` seeds from `first` on, the same in every usual run. Returns `long` new seeds in a long run. */
export const seeds = (first: number, usual: number, long: number): number[] =>
  Array.from({ length: effort(usual, long) }, (_, index) => (IS_LONG ? RUN_SEED : 0) + first + index)
