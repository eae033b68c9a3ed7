// How long the body would be that the answer to a HEAD stands for, where that is known: the framework forgets it.

const lengths = new WeakMap<Request, number>()

export const tellHeadLength = (request: Request, bytes: number): void => void lengths.set(request, bytes)

/** Undefined where it is not known. */
export const headLengthOf = (request: Request): number | undefined => lengths.get(request)
