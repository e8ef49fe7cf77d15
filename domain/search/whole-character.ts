/** Returns the last place of a text up to `end` that is not within a character. */
export const wholeCharacter = (text: string, end: number): number =>
  /[\uDC00-\uDFFF]/.test(text[end] ?? '') ? end - 1 : end
