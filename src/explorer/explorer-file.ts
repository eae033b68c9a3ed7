// A file of the explorer as browsers receive it.

export type ExplorerFile = {
  /** The last segment of its URL. The page is `index.html`; every other name changes with its content. */
  name: string
  type: string
  text: string
}

export const EXPLORER_PAGE = 'index.html'

/** The URL path of all files but the page. */
export const EXPLORER_ASSETS = '/explore/assets/'
