// What Tardis' files have in common.

export const TARDIS_FACTS = {
  source: 'tardis',
  clock: 'frame',
  order: 'file',
  hashKept: false,
  isRebuilt: true,
  licence: null,
  // Others write such files too, our own export among them, and they do not say who did.
  attribution: null,
} as const
