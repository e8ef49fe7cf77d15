import type { DrmSystemName } from '../../domain/drm/drm-system.ts'

/**
 * The messages of the pretended CDMs of the tests. A real CDM encrypts its messages for its provider; these
 * are readable, in the outer form of each system, so that the product treats them as real ones:
 *
 * - Widevine: a protobuf message with its type in field 1 (1 request, 2 licence, 4 certificate request,
 *   5 certificate) and JSON in field 2.
 * - PlayReady: a SOAP envelope with `AcquireLicense` or `AcquireLicenseResponse`, JSON in base64 inside.
 * - FairPlay: a version of four bytes, then JSON.
 *
 * It uses Web APIs only, so a page can run it: a wrapped MediaKeySession dispatches `fakeChallenge(…)` as its
 * message and gives `jwksOf(system, licence)` to the real ClearKey session.
 */
export interface FakeChallenge {
  /** Key ids that the init data names, as 32 characters of hex. */
  keyIdsHex: string[]
  deviceId: string
  /** Whether the device decrypts in hardware. */
  level: 'hardware' | 'software'
  /** The HDCP version of the output; null without HDCP. */
  hdcp: number | null
}

/** A key in a licence. */
export interface FakeLicenceKey {
  keyIdHex: string
  keyHex: string
}

/** Returns the message of a CDM that asks for a licence. */
export const fakeChallenge = (system: DrmSystemName, challenge: FakeChallenge): Uint8Array =>
  pack(system, 'request', challenge)

/** Reads a challenge. Throws an Error for anything else. */
export function readChallenge(system: DrmSystemName, bytes: Uint8Array): FakeChallenge {
  const read = unpack(system, 'request', bytes)
  const { keyIdsHex, deviceId, level, hdcp } = Object(read)
  if (!Array.isArray(keyIdsHex) || typeof deviceId !== 'string')
    throw new Error(`this is no ${system} challenge`)
  return {
    keyIdsHex,
    deviceId,
    level: level === 'hardware' ? level : 'software',
    hdcp: hdcp ?? null,
  }
}

/** Returns a licence with these keys, as the server of a system writes it. */
export const fakeLicence = (system: DrmSystemName, keys: FakeLicenceKey[]): Uint8Array =>
  pack(system, 'licence', { keys })

/** Returns the response to a Widevine certificate request: a certificate of type 3, with a serial number, a key and a signature. */
export function fakeServiceCertificate(): Uint8Array {
  const [serial, key, signature] = [utf8.encode('serial'), utf8.encode('key'), utf8.encode('sign')]
  const certificate = [...protobuf(3, serial), 0x22, key.length, ...key]
  const signed = [0x0a, certificate.length, ...certificate, 0x12, signature.length, ...signature]
  return protobuf(5, Uint8Array.from(signed))
}

/** A key of a JWK set (W3C EME, "Clear Key"). */
interface Jwk {
  kty: 'oct'
  kid: string
  k: string
}

/** Returns the licence as a JWK set for ClearKey. Throws for anything that is not a licence of this system. */
export function jwksOf(
  system: DrmSystemName,
  licence: Uint8Array,
): { keys: Jwk[]; type: 'temporary' } {
  const { keys } = Object(unpack(system, 'licence', licence))
  if (!Array.isArray(keys)) throw new Error(`this is no ${system} licence`)
  return {
    keys: keys.map(({ keyIdHex, keyHex }: FakeLicenceKey) => ({
      kty: 'oct',
      kid: base64Url(keyIdHex),
      k: base64Url(keyHex),
    })),
    type: 'temporary',
  }
}

type Kind = 'request' | 'licence'

const utf8 = new TextEncoder()
const WIDEVINE_TYPES = { request: 1, licence: 2 }
const PLAYREADY_ELEMENTS = { request: 'AcquireLicense', licence: 'AcquireLicenseResponse' }

function pack(system: DrmSystemName, kind: Kind, value: object): Uint8Array {
  const json = utf8.encode(JSON.stringify(value))
  if (system === 'widevine') return protobuf(WIDEVINE_TYPES[kind], json)
  if (system === 'fairplay') return Uint8Array.from([0, 0, 0, 1, ...json])
  const name = PLAYREADY_ELEMENTS[kind]
  const inner = `<Data>${btoa(String.fromCharCode(...json))}</Data>`
  return utf8.encode(
    '<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">' +
      `<soap:Body><${name} xmlns="http://schemas.microsoft.com/DRM/2007/03/protocols">${inner}</${name}></soap:Body></soap:Envelope>`,
  )
}

function unpack(system: DrmSystemName, kind: Kind, bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(payloadOf(system, kind, bytes)))
}

function payloadOf(system: DrmSystemName, kind: Kind, bytes: Uint8Array): Uint8Array {
  if (system === 'widevine') {
    if (bytes[0] !== 0x08 || bytes[1] !== WIDEVINE_TYPES[kind] || bytes[2] !== 0x12)
      throw new Error(`this is no Widevine ${kind}`)
    return fieldOf(bytes)
  }
  if (system === 'fairplay') {
    if (bytes[3] !== 1 || bytes[0] !== 0) throw new Error(`this is no FairPlay ${kind}`)
    return bytes.subarray(4)
  }
  const text = new TextDecoder().decode(bytes)
  const data = new RegExp(`<${PLAYREADY_ELEMENTS[kind]} [^>]*><Data>([^<]*)</Data>`).exec(text)?.[1]
  if (data === undefined) throw new Error(`this is no PlayReady ${kind}`)
  return Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
}

/** A message with its type in field 1 and bytes in field 2. */
function protobuf(type: number, bytes: Uint8Array): Uint8Array {
  const length: number[] = []
  for (let rest = bytes.length; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest)
    if (rest <= 127) break
  }
  return Uint8Array.from([0x08, type, 0x12, ...length, ...bytes])
}

function fieldOf(bytes: Uint8Array): Uint8Array {
  let [at, length, shift] = [3, 0, 0]
  for (; ; at += 1, shift += 7) {
    const byte = bytes[at] ?? 0
    length |= (byte & 127) << shift
    if (byte < 128) break
  }
  return bytes.subarray(at + 1, at + 1 + length)
}

const base64Url = (hex: string): string =>
  btoa(hex.replaceAll(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
