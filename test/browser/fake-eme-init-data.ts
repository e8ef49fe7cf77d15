import { DRM_SYSTEM_IDS, type DrmSystemName } from '../../domain/drm/drm-system.ts'

/** The key ids (hex) that the init data names for a system. Throws if it has none for it, as a CDM does. */
export function keyIdsIn(system: DrmSystemName, type: string, data: BufferSource): string[] {
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)
  const found =
    system === 'fairplay' ? fairPlayIds(type, bytes) : type === 'cenc' ? boxIds(system, bytes) : []
  if (found.length === 0) throw new TypeError(`no key of ${system} in ${type} init data`)
  return found
}

/** The init data of the `encrypted` events that Safari fires for an init segment; empty for other segments. */
export function sinfEventData(segment: Uint8Array): ArrayBuffer[] {
  const at = find(segment, 'sinf', 4)
  if (at < 4) return []
  const start = at - 4
  const size = new DataView(segment.buffer, segment.byteOffset).getUint32(start)
  const box = segment.subarray(start, start + size)
  const json = JSON.stringify({ sinf: [btoa(String.fromCharCode(...box))] })
  return [new TextEncoder().encode(json).slice().buffer]
}

/** Turns a key id into a GUID, or back. */
export function swapGuid(bytes: Uint8Array): Uint8Array {
  const [a, b, c] = [bytes.slice(0, 4), bytes.slice(4, 6), bytes.slice(6, 8)]
  return Uint8Array.from([...a.reverse(), ...b.reverse(), ...c.reverse(), ...bytes.slice(8)])
}

function fairPlayIds(type: string, bytes: Uint8Array): string[] {
  if (type === 'skd') return skdIds(new TextDecoder().decode(bytes))
  if (type !== 'sinf') return []
  const { sinf } = Object(JSON.parse(new TextDecoder().decode(bytes)))
  const box = Uint8Array.from(atob(String(sinf?.[0])), (character) => character.charCodeAt(0))
  // ISO/IEC 23001-7, "tenc": version and flags, two bytes, isProtected, IV size, then the key id.
  const at = find(box, 'tenc', 0)
  return at < 0 ? [] : [hex(box.subarray(at + 12, at + 28))]
}

/** The address of a key of ours, `skd://<key id>:<IV>`. */
function skdIds(uri: string): string[] {
  const keyId = /^skd:\/\/([0-9a-f-]{32,36}):/.exec(uri)?.[1]
  return keyId === undefined ? [] : [keyId.replaceAll('-', '')]
}

function boxIds(system: DrmSystemName, bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at + 32 <= bytes.length; at += view.getUint32(at)) {
    const id = hex(bytes.subarray(at + 12, at + 28))
    if (id !== DRM_SYSTEM_IDS[system].replaceAll('-', '')) continue
    const data = bytes.subarray(at + 32, at + view.getUint32(at))
    return system === 'widevine' ? widevineIds(data) : playReadyIds(data)
  }
  return []
}

/** Field 2 of WidevinePsshData; all fields before the first other one. */
function widevineIds(data: Uint8Array): string[] {
  const ids: string[] = []
  for (let at = 0; data[at] === 0x12; at += 2 + (data[at + 1] ?? 0))
    ids.push(hex(data.subarray(at + 2, at + 2 + (data[at + 1] ?? 0))))
  return ids
}

function playReadyIds(data: Uint8Array): string[] {
  const xml = new TextDecoder('utf-16le').decode(data.subarray(10))
  return [...xml.matchAll(/VALUE="([^"]+)"/g)].map(([, value = '']) =>
    hex(swapGuid(Uint8Array.from(atob(value), (character) => character.charCodeAt(0)))),
  )
}

function find(bytes: Uint8Array, name: string, from: number): number {
  const wanted = new TextEncoder().encode(name)
  for (let at = from; at + 4 <= bytes.length; at += 1)
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at
  return -1
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
