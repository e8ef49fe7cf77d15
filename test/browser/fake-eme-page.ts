// Runs in the page, before its own scripts: see `fake-eme.ts`.
import type { DrmSystemName } from '../../domain/drm/drm-system.ts'
import { fakeChallenge, jwksOf } from '../infrastructure/fake-cdm-format.ts'
import { keyIdsIn, sinfEventData, swapGuid } from './fake-eme-init-data.ts'
import type { EmeSeen, EmeWorld, FakeEme } from './fake-eme.ts'
import { HLS_TYPE, pretendNativeHls } from './fake-native-hls.ts'

declare global {
  interface Window {
    emeWorld: EmeWorld
    fakeEme: FakeEme
  }
}

const world = window.emeWorld
const seen: EmeSeen = { asked: [], sessions: 0, messages: [], playlists: [], certificates: [] }
const statuses = new Map<string, string>()
const open = new Map<MediaKeySession, { system: DrmSystemName; keyIds: string[]; level: string }>()
let expiration: number | null = null
const utf8 = new TextEncoder()

const systemOf = (name: string): DrmSystemName | null => {
  if (name.startsWith('com.widevine.alpha')) return 'widevine'
  if (name.startsWith('com.microsoft.playready')) return 'playready'
  return name === 'com.apple.fps' ? 'fairplay' : null
}

const isHardware = (level: string): boolean => level.startsWith('HW_') || level === '3000'

/** Whether this browser has a system in these levels. */
function allows(system: DrmSystemName, video: string, audio: string): boolean {
  const levels = world.systems[system]
  if (!levels) return false
  if (system === 'fairplay') return video === '' && audio === ''
  if (!levels.includes(video) || (audio !== '' && !levels.includes(audio))) return false
  // Chromium on Windows does not mix hardware and software.
  return !(system === 'widevine' && world.isWindows) || isHardware(video) === isHardware(audio)
}

function wrap(
  access: MediaKeySystemAccess,
  name: string,
  system: DrmSystemName,
  configuration: MediaKeySystemConfiguration,
): MediaKeySystemAccess {
  const level = configuration.videoCapabilities?.[0]?.robustness ?? ''
  return {
    keySystem: name,
    getConfiguration: () => configuration,
    async createMediaKeys() {
      const keys = await access.createMediaKeys()
      const create = keys.createSession.bind(keys)
      return Object.assign(keys, {
        setServerCertificate: async (certificate: BufferSource) => {
          seen.certificates.push({ system, bytes: certificate.byteLength })
          return true
        },
        getStatusForPolicy: async ({ minHdcpVersion = '1.0' }: MediaKeysPolicy = {}) =>
          world.hdcp !== null && world.hdcp >= Number(minHdcpVersion)
            ? 'usable'
            : 'output-restricted',
        createSession: () => patch(create('temporary'), system, level),
      })
    },
  }
}

function patch(session: MediaKeySession, system: DrmSystemName, level: string): MediaKeySession {
  const facts = { system, keyIds: new Array<string>(), level }
  seen.sessions += 1
  const generate = session.generateRequest.bind(session)
  const update = session.update.bind(session)
  const close = session.close.bind(session)
  const real = session.keyStatuses
  session.addEventListener('message', (event) => {
    if (ours.has(event)) return
    event.stopImmediatePropagation()
    send(session, 'license-request')
  })
  open.set(session, facts)
  const patched = Object.assign(session, {
    generateRequest: async (type: string, data: BufferSource) => {
      facts.keyIds = keyIdsIn(system, type, data)
      const kids = facts.keyIds.map(base64Url)
      return generate('keyids', utf8.encode(JSON.stringify({ kids })))
    },
    update: async (licence: BufferSource) => {
      const bytes = toBytes(licence)
      if (system === 'fairplay' && new TextDecoder().decode(bytes) === 'renew')
        return send(session, 'license-renewal')
      return update(utf8.encode(JSON.stringify(jwksOf(system, bytes))))
    },
    close: async () => {
      open.delete(session)
      return close()
    },
  })
  Object.defineProperties(patched, {
    keyStatuses: { get: () => shadow(real, system) },
    expiration: { get: () => expiration ?? Number.NaN },
  })
  return patched
}

/** The statuses of the real session with those that a test has set. Edge shows PlayReady's ids as GUIDs. */
function shadow(real: MediaKeyStatusMap, system: DrmSystemName) {
  const entries: [string, string][] = []
  real.forEach((status: MediaKeyStatus, keyId: BufferSource) => {
    const hex = hexOf(toBytes(keyId))
    entries.push([hex, statuses.get(hex) ?? status])
  })
  return {
    size: entries.length,
    forEach(visit: (status: string, keyId: ArrayBuffer) => void) {
      for (const [hex, status] of entries) {
        const bytes = fromHex(hex)
        visit(status, (system === 'playready' ? swapGuid(bytes) : bytes).slice().buffer)
      }
    },
  }
}

const ours = new WeakSet<Event>()

function send(session: MediaKeySession, messageType: MediaKeyMessageType): void {
  const facts = open.get(session)
  if (!facts) return
  const { system, keyIds, level } = facts
  const challenge = fakeChallenge(system, {
    keyIdsHex: keyIds,
    deviceId: world.deviceId,
    level: system === 'fairplay' || isHardware(level) ? 'hardware' : 'software',
    hdcp: world.hdcp,
  })
  const message = system === 'playready' ? envelope(challenge) : challenge.slice()
  seen.messages.push({ system, messageType, keyIds })
  const event = new MediaKeyMessageEvent('message', {
    messageType,
    message: message.slice().buffer,
  })
  ours.add(event)
  session.dispatchEvent(event)
}

/** As Windows writes it: UTF-16, with the headers that the request must have. */
function envelope(challenge: Uint8Array): Uint8Array {
  const header = (name: string, value: string) =>
    `<HttpHeader><name>${name}</name><value>${value}</value></HttpHeader>`
  const xml =
    '<PlayReadyKeyMessage type="LicenseAcquisition"><LicenseAcquisition Version="1">' +
    `<Challenge encoding="base64encoded">${btoa(String.fromCharCode(...challenge))}</Challenge><HttpHeaders>` +
    header('Content-Type', 'text/xml; charset=utf-8') +
    header('SOAPAction', 'http://schemas.microsoft.com/DRM/2007/03/protocols/AcquireLicense') +
    '</HttpHeaders></LicenseAcquisition></PlayReadyKeyMessage>'
  const units = Uint16Array.from(xml, (character) => character.charCodeAt(0))
  return new Uint8Array(units.buffer)
}

const H264 = { contentType: 'video/mp4; codecs="avc1.42e01e"' }
const { mediaCapabilities } = navigator
const decodingInfo = mediaCapabilities.decodingInfo.bind(mediaCapabilities)

Object.assign(mediaCapabilities, {
  async decodingInfo(given: MediaDecodingConfiguration) {
    const asked = given.keySystemConfiguration
    const system = systemOf(asked?.keySystem ?? '')
    if (!asked || !system) return decodingInfo(given)
    const [video, audio] = [asked.video?.robustness ?? '', asked.audio?.robustness ?? '']
    seen.asked.push({ name: asked.keySystem, video, audio })
    const refused = { supported: false, smooth: false, powerEfficient: false }
    if (!allows(system, video, audio)) return { ...refused, keySystemAccess: null }
    // TypeScript's types have no `encryptionScheme` yet. Without it in the response, Shaka Player guesses the
    // schemes of the browser by its User-Agent.
    const scheme = (track?: KeySystemTrackConfiguration) => {
      const { encryptionScheme = null } = Object(track)
      return { encryptionScheme }
    }
    const keySystemConfiguration = {
      keySystem: 'org.w3.clearkey',
      initDataType: 'cenc',
      ...(asked.video && { video: scheme(asked.video) }),
      ...(asked.audio && { audio: scheme(asked.audio) }),
    }
    // Chromium's ClearKey knows no HLS: it is asked for what the playlists contain.
    const isHls = given.video?.contentType.startsWith(HLS_TYPE) ?? false
    const known = isHls && { type: 'media-source', video: { ...given.video, ...H264 } }
    const info = await decodingInfo(Object.assign({}, given, known, { keySystemConfiguration }))
    const capability = (contentType: string, track?: KeySystemTrackConfiguration) =>
      track ? [{ contentType, robustness: track.robustness ?? '', ...scheme(track) }] : []
    const configuration = {
      initDataTypes: [system === 'fairplay' ? 'sinf' : 'cenc'],
      videoCapabilities: capability(given.video?.contentType ?? '', asked.video),
      audioCapabilities: capability(given.audio?.contentType ?? '', asked.audio),
    }
    const access = info.keySystemAccess
    const wrapped = access && wrap(access, asked.keySystem, system, configuration)
    return { ...info, supported: info.supported, keySystemAccess: wrapped }
  },
})

const request = navigator.requestMediaKeySystemAccess.bind(navigator)
Object.assign(navigator, {
  async requestMediaKeySystemAccess(name: string, wanted: MediaKeySystemConfiguration[]) {
    const system = systemOf(name)
    if (!system) return request(name, wanted)
    const fitting = wanted.find(({ videoCapabilities, audioCapabilities }) =>
      allows(
        system,
        videoCapabilities?.[0]?.robustness ?? '',
        audioCapabilities?.[0]?.robustness ?? '',
      ),
    )
    if (!fitting) throw new DOMException('unsupported', 'NotSupportedError')
    const clear = { videoCapabilities: [{ contentType: 'video/mp4; codecs="avc1.42e01e"' }] }
    return wrap(await request('org.w3.clearkey', [clear]), name, system, fitting)
  },
})

if (world.systems.fairplay) {
  Object.defineProperty(navigator, 'vendor', { get: () => 'Apple Computer, Inc.' })
  // For encrypted tracks, Safari's `encrypted` event has the `sinf` box of the init segment, Chromium's a pssh.
  document.addEventListener(
    'encrypted',
    (event) => {
      if (!ours.has(event)) event.stopImmediatePropagation()
    },
    { capture: true },
  )
  const append: (this: SourceBuffer, data: BufferSource) => void = Object.getOwnPropertyDescriptor(
    SourceBuffer.prototype,
    'appendBuffer',
  )?.value
  const fire = (initDataType: string, initData: ArrayBuffer): void => {
    const event = new MediaEncryptedEvent('encrypted', { initDataType, initData })
    ours.add(event)
    document.querySelector('video')?.dispatchEvent(event)
  }
  pretendNativeHls({
    onPlaylist: (url) => void seen.playlists.push(new URL(url).pathname),
    needKey: (uri) => fire('skd', utf8.encode(uri).slice().buffer),
    append: (buffer, data) => append.call(buffer, data),
  })
  Object.assign(SourceBuffer.prototype, {
    appendBuffer(this: SourceBuffer, data: BufferSource) {
      append.call(this, data)
      for (const initData of sinfEventData(toBytes(data))) fire('sinf', initData)
    },
  })
}

const announce = (): void => {
  for (const session of open.keys()) session.dispatchEvent(new Event('keystatuseschange'))
}

window.fakeEme = {
  seen: () => seen,
  setStatus(keyIdHex, status) {
    statuses.set(keyIdHex, status)
    announce()
  },
  expire() {
    expiration = Date.now() - 1
    for (const { keyIds } of open.values()) for (const id of keyIds) statuses.set(id, 'expired')
    announce()
  },
  renew() {
    for (const session of open.keys()) send(session, 'license-renewal')
  },
}

const toBytes = (data: BufferSource): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)
const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
const base64Url = (hex: string): string =>
  btoa(String.fromCharCode(...fromHex(hex)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
