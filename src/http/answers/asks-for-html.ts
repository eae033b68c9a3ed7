// True if a browser requests a page.

export const asksForHtml = ({ headers }: Request): boolean => headers.get('accept')?.includes('text/html') ?? false
