// Text of others as it is shown to a person: file names, messages of captures, what clients say of themselves. What a
// terminal would obey, or what would turn a line around or break it in two, is written as \u001b.

export const escapeControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
