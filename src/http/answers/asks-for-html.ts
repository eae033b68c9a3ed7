// Whether a request is a browser's that opens a page.

export const asksForHtml = ({ headers }: Request): boolean => headers.get('accept')?.includes('text/html') ?? false
