// Whether somebody has just asked for the messages: then they are scrolled to once they are there. A link that shows
// them leaves the page at its top.

let isAsked = false

export const askForMessages = (): void => {
  isAsked = true
}

export function wereMessagesAsked(): boolean {
  const was = isAsked
  isAsked = false
  return was
}
