// A file of the explorer as browsers get it.

export type ExplorerFile = {
  /** The last segment of its address. The page is `index.html`; every other name changes with its content. */
  name: string
  type: string
  text: string
}

export const EXPLORER_PAGE = 'index.html'

/** Where all files but the page are. */
export const EXPLORER_ASSETS = '/explore/assets/'
