// What a commit of a recorder holds in a cluster: it takes effect only while the lease is still its holder's.

export type Fence = {
  lease: string
  holder: string
  /** Grows with each change of the holder. */
  epoch: number
}

/** These leases are somebody else's now. Nothing of the commit took effect. */
export class FencedOut extends Error {
  override readonly name = 'FencedOut'
  readonly fences: readonly Fence[]

  constructor(fences: readonly Fence[]) {
    super(`held by another recorder now: ${fences.map(({ lease }) => lease).join(', ')}`)
    this.fences = fences
  }
}

export const isSameFence = (a: Fence, b: Fence): boolean =>
  a.lease === b.lease && a.holder === b.holder && a.epoch === b.epoch
