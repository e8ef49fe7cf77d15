/** What a value of each key of CTA-5004 (version 1) has to be, of those that requests for segments may have. */
const KEYS: Record<string, (value: unknown) => boolean> = {
  bl: isHundreds,
  br: isCount,
  bs: (value) => value === true,
  cid: isText,
  d: isCount,
  dl: isHundreds,
  mtp: isHundreds,
  nor: isText,
  nrr: isText,
  ot: (value) => isToken(value, ['m', 'a', 'v', 'av', 'i', 'c', 'tt', 'k', 'o']),
  pr: (value) => typeof value === 'number' && value !== 1,
  rtp: isHundreds,
  sf: (value) => isToken(value, ['d', 'h', 's', 'o']),
  sid: isText,
  st: (value) => isToken(value, ['v', 'l']),
  su: (value) => value === true,
  tb: isCount,
}

/** Of a part of picture or audio, not of its initialisation. */
const OF_MEDIA = ['bl', 'br', 'd', 'tb']
const TEXT_MAX = 64

export type Cmcd = Record<string, unknown>

/**
 * Reads the query of an address by CTA-5004. Throws unless `CMCD` is in it once, encoded, with known keys in their order, each once
 * and with a value of its type, strings in quotes and tokens without.
 */
export function parseCmcd(address: string): Cmcd {
  const [, query = ''] = address.split('?')
  const [, encoded = '', ...more] = /^CMCD=([\w.!~*'()%-]+)$/.exec(query) ?? []
  if (encoded === '' || more.length > 0) throw new Error(`not one encoded CMCD: ${address}`)
  const text = decodeURIComponent(encoded)
  const pairs = [...text.matchAll(/([a-z]+)(?:=("(?:[^"\\]|\\.)*"|[^,"]+))?(?:,(?=.)|$)/gy)]
  if (pairs.map(([pair]) => pair).join('') !== text) throw new Error(`no pairs: ${text}`)
  const entries = pairs.map(([, key = '', value]): [string, unknown] => [key, valueOf(value)])
  const keys = entries.map(([key]) => key)
  if (keys.join() !== [...new Set(keys)].toSorted().join()) throw new Error(`no order: ${text}`)
  for (const [key, value] of entries)
    if (KEYS[key]?.(value) !== true) throw new Error(`not a value of ${key}: ${text}`)
  const data = Object.fromEntries(entries)
  const isMedia = isToken(data.ot, ['a', 'v', 'av'])
  if (!isMedia && keys.some((key) => OF_MEDIA.includes(key))) throw new Error(`not media: ${text}`)
  return data
}

/** A token is a symbol here, so that it is no string. */
function valueOf(text: string | undefined): unknown {
  if (text === undefined) return true
  if (text.startsWith('"')) return text.slice(1, -1).replaceAll(/\\(.)/g, '$1')
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Symbol.for(text)
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

function isHundreds(value: unknown): boolean {
  return isCount(value) && Number(value) % 100 === 0
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= TEXT_MAX
}

function isToken(value: unknown, tokens: readonly string[]): boolean {
  return typeof value === 'symbol' && tokens.includes(Symbol.keyFor(value) ?? '')
}
