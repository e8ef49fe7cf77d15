import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readViewerToken, signViewerToken, verifyViewerToken } from './viewer-token.ts'

/** Enough for every kind of mutation; MUTATIONS=5000000 makes more. */
const MUTATIONS = Number(process.env.MUTATIONS ?? 60_000)
const SEED = 20_261_121
const secret = 'a1b2c3d4'.repeat(8)
const otherSecret = 'b1b2c3d4'.repeat(8)
const nowMs = Date.UTC(2026, 10, 21)
const exp = nowMs / 1000 + 3600

/** Returns a generator of numbers from 0 to 1, reproducible by its seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

const random = randomFrom(SEED)
const below = (count: number): number => Math.floor(random() * count)
function pick<T>(values: readonly T[]): T {
  const value = values[below(values.length)]
  if (value === undefined) throw new Error('There is no value to pick.')
  return value
}
const base64url = (text: string | Buffer): string => Buffer.from(text).toString('base64url')
const mac = (text: string, key: string | Buffer, algorithm = 'sha256'): string =>
  createHmac(algorithm, key).update(text).digest('base64url')
const signed = (json: string | Buffer, key: string | Buffer = secret, algorithm = 'sha256') =>
  `${base64url(json)}.${mac(base64url(json), key, algorithm)}`
const body = (): string => JSON.stringify({ vid: `viewer-${below(1000)}`, exp: exp + below(1000) })

const VIEWERS = ['a', 'viewer-42', 'ann@example.com', 'é'.repeat(32), '日本語', 'x'.repeat(64)]
const originals = VIEWERS.flatMap((viewerId) =>
  [1, 60, 86_400].map((seconds) =>
    signViewerToken({ viewerId, expiresAtSeconds: exp + seconds }, secret),
  ),
)
const known = new Set(originals)

const ODD = [
  '=',
  '==',
  '.',
  ' ',
  '\t',
  '\r\n',
  '\0',
  '+',
  '/',
  'é',
  '\u200b',
  '\ufeff',
  '%2e',
  '\ud800',
]
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const anyIndex = (vt: string): number => below(vt.length)

function withBitFlipped(vt: string): string {
  const [payload = '', sig = ''] = vt.split('.')
  const parts = [Buffer.from(payload, 'base64url'), Buffer.from(sig, 'base64url')]
  const part = pick(parts)
  const byte = below(part.length)
  part[byte] = (part[byte] ?? 0) ^ (1 << below(8))
  return parts.map(base64url).join('.')
}

/** Replaces the last character of a part with one that Node usually decodes to the same bytes. */
function withSpareBits(vt: string): string {
  const [payload = '', sig = ''] = vt.split('.')
  const respell = (text: string): string =>
    text.slice(0, -1) + (ALPHABET[ALPHABET.indexOf(text.at(-1) ?? '') ^ (1 + below(3))] ?? 'A')
  return pick([`${respell(payload)}.${sig}`, `${payload}.${respell(sig)}`])
}

const insert = (vt: string, text: string, where = anyIndex(vt)): string =>
  vt.slice(0, where) + text + vt.slice(where)

function jwt(): string {
  const header = { alg: pick(['none', 'None', 'HS256', 'RS256', 'HS512']), typ: 'JWT' }
  const text = `${base64url(JSON.stringify(header))}.${base64url(body())}`
  return `${text}.${pick(['', mac(text, secret), mac(text, otherSecret)])}`
}

/** Signs invalid claims with the right secret. */
function wrongClaims(): string {
  const vid = JSON.stringify(`viewer-${below(1000)}`)
  const wrongExp = pick([`"${exp}"`, `${exp}.5`, '1e40', '1e400', `-${exp}`, 'null', '[1]', '{}'])
  const wrongVid = pick([
    '""',
    `"${'x'.repeat(65)}"`,
    `"${'é'.repeat(33)}"`,
    '"a\\u0000b"',
    '"\\n"',
    '7',
  ])
  return signed(
    pick([
      `{"vid":${vid},"exp":${wrongExp}}`,
      `{"vid":${wrongVid},"exp":${exp}}`,
      `{"vid":${vid}}`,
      `{"exp":${exp}}`,
      `[${vid},${exp}]`,
      `{"vid":${vid},"exp":${exp - 3601 - below(1e6)}}`,
      `{"vid":${vid},"exp":${exp * 1000 + below(1e9)}}`,
      `{"vid":"\\ud800","exp":${exp}}`,
      `{"vid":${vid},"exp":${exp}`,
    ]),
  )
}

const MUTATE: Record<string, (vt: string) => string> = {
  'a bit flipped': withBitFlipped,
  'another character': (vt) => {
    const where = anyIndex(vt)
    return vt.slice(0, where) + pick([...Array.from(ALPHABET), ...ODD]) + vt.slice(where + 1)
  },
  'text inserted': (vt) => insert(vt, pick([...ODD, 'A', originals[0] ?? ''])),
  'padding or white space around': (vt) =>
    pick([`${vt}${pick(ODD)}`, `${pick(ODD)}${vt}`, vt.replace('.', `${pick(ODD)}.`)]),
  'spare bits': withSpareBits,
  'cut short': (vt) => vt.slice(0, anyIndex(vt)),
  'parts swapped': (vt) => vt.split('.').toReversed().join('.'),
  'parts of two tokens': (vt) => `${vt.split('.')[0]}.${pick(originals).split('.')[1]}`,
  'standard base64': (vt) => vt.replaceAll('-', '+').replaceAll('_', '/'),
  'other case': (vt) => pick([vt.toUpperCase(), vt.toLowerCase()]),
  'wider characters': (vt) => {
    const where = anyIndex(vt)
    const wide = String.fromCharCode((vt.charCodeAt(where) & 0xff) | 0x100)
    return vt.slice(0, where) + wide + vt.slice(where + 1)
  },
  "another account's secret": () => signed(body(), otherSecret),
  'the secret decoded from hex': () => signed(body(), Buffer.from(secret, 'hex')),
  'another algorithm': () => signed(body(), secret, pick(['sha1', 'sha384', 'sha512', 'md5'])),
  'no signature': () =>
    pick([`${base64url(body())}.`, base64url(body()), `${base64url(body())}..`]),
  'an empty key': () => signed(body(), ''),
  'the JSON signed, not its base64url': () => `${base64url(body())}.${mac(body(), secret)}`,
  'a signature in hex': () => {
    const payload = base64url(body())
    return `${payload}.${createHmac('sha256', secret).update(payload).digest('hex')}`
  },
  'the shape of a JWT': jwt,
  'invalid claims': wrongClaims,
  noise: () => String.fromCharCode(...Array.from({ length: below(120) }, () => below(0x3000))),
}

describe('viewer tokens under attack', () => {
  it('are refused in all of many mutations, unless a mutation restores a signed token', () => {
    const kinds = Object.entries(MUTATE)
    const accepted: string[] = []
    const counts: Record<string, number> = {}
    let unchanged = 0
    for (let made = 0; made < MUTATIONS; made++) {
      const [kind, mutate] = pick(kinds)
      const vt = mutate(pick(originals))
      counts[kind] = (counts[kind] ?? 0) + 1
      const { ok } = verifyViewerToken(readViewerToken(vt), secret, nowMs)
      if (known.has(vt)) {
        unchanged += 1
        if (!ok) accepted.push(`refused unchanged: ${vt}`)
      } else if (ok) accepted.push(`${kind}: ${JSON.stringify(vt)}`)
    }
    expect({ seed: SEED, accepted: accepted.slice(0, 10) }).toEqual({ seed: SEED, accepted: [] })
    // Makes sure that the test is meaningful: each kind occurs many times, and few
    // mutations change nothing.
    expect(Object.keys(counts)).toHaveLength(kinds.length)
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(MUTATIONS / 100)
    expect(unchanged).toBeLessThan(MUTATIONS / 10)
  }, 240_000)

  it('are all accepted unchanged', () => {
    for (const vt of originals)
      expect(verifyViewerToken(readViewerToken(vt), secret, nowMs).ok).toBe(true)
    expect(verifyViewerToken(readViewerToken(signed(body())), secret, nowMs).ok).toBe(true)
  })

  it('have one base64url encoding: no padding, no other alphabet, no spare bits', () => {
    // 28 bytes and 29 bytes: their last characters have four and two spare bits.
    for (const json of [`{"vid":"v","exp":${exp}}`, `{"vid":"vv","exp":${exp}}`]) {
      const payload = base64url(json)
      expect(verifyViewerToken(readViewerToken(signed(json)), secret, nowMs).ok).toBe(true)
      const last = ALPHABET[ALPHABET.indexOf(payload.at(-1) ?? '') ^ 1] ?? ''
      const respelled = payload.slice(0, -1) + last
      expect(Buffer.from(respelled, 'base64url').toString()).toBe(json)
      const others = [respelled, `${payload}=`, `${payload}==`, ` ${payload}`, `${payload}\n`]
      for (const other of others) {
        const vt = `${other}.${mac(other, secret)}`
        expect(verifyViewerToken(readViewerToken(vt), secret, nowMs)).toEqual({
          ok: false,
          reason: 'malformed',
        })
      }
    }
  })
})
