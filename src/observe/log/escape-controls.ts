// Makes foreign text safe to show: file names, messages of captures, user agents. Characters that control a terminal,
// change the text direction or break a line are escaped, for example as \u001b.

export const escapeControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
