/** Controls that turn the text after them, or end what keeps a turn apart (UAX #9). */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g

/** Letters that are read from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

/** Removes what could turn the text around a value, such as a title, where it stands alone in plain text. */
export const withoutTurns = (value: string): string => value.replaceAll(TURNS, '')

/**
 * Returns a value, such as a title, for plain text around it: without controls of direction, and isolated (U+2068, U+2069)
 * if its letters could turn the text. Within HTML, `bdi` does this.
 */
export function isolateIn(around: string, value: string): string {
  const plain = withoutTurns(value)
  const couldTurn =
    plain !== value ||
    RIGHT_TO_LEFT.test(value) ||
    (RIGHT_TO_LEFT.test(around) && /\p{L}/u.test(value))
  return couldTurn ? `\u2068${plain}\u2069` : value
}
