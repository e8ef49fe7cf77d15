const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b

/** Whether a JSON text has more than `max` values, or cannot be JSON. It reads the text once and keeps nothing. */
export function hasMoreValues(json: Buffer, max: number): boolean {
  let count = 0
  let at = 0
  while (at < json.length && count <= max) {
    const quote = json.indexOf(QUOTE, at)
    const end = quote === -1 ? json.length : quote
    for (; at < end; at += 1) if (opensValue(json[at])) count += 1
    at = quote === -1 ? end : endOfString(json, quote + 1)
  }
  return count > max
}

/** All values but the first follow a comma, or open a list or an object. */
const opensValue = (byte: number | undefined): boolean =>
  byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT

/** The index after the quote that ends a string. */
function endOfString(json: Buffer, start: number): number {
  for (
    let quote = json.indexOf(QUOTE, start);
    quote !== -1;
    quote = json.indexOf(QUOTE, quote + 1)
  ) {
    let backslashes = 0
    while (json[quote - 1 - backslashes] === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return quote + 1
  }
  return json.length
}
