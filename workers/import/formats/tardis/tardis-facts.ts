// Facts that all files of Tardis share.

export const TARDIS_FACTS = {
  source: 'tardis',
  clock: 'frame',
  order: 'file',
  hashStored: false,
  isRebuilt: true,
  licence: null,
  // These files do not name their author, which need not be Tardis: our own export writes the same format.
  attribution: null,
} as const
