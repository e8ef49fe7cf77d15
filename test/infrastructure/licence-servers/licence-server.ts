import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { DrmSystemName } from '../../../domain/drm/drm-system.ts'
import type { TrackType } from '../../../domain/videos/rendition.ts'
import {
  fakeLicence,
  fakeServiceCertificate,
  readChallenge,
  type FakeChallenge,
  type FakeLicenceKey,
} from '../fake-cdm-format.ts'

/** Refusals that do not depend on the request. */
const REFUSALS = {
  revoked: 'the device certificate is revoked',
  level: 'the security level of the device is too low',
  output: 'HDCP is not available',
  content: 'no key of the request is entitled',
}

type Refusal = keyof typeof REFUSALS

/** How a licence server of the tests misbehaves; `null` behaves. */
export type Misbehaviour =
  | Refusal
  | 'outage'
  | 'fault'
  | 'json-error'
  | 'empty'
  | 'html'
  | 'cut'
  | 'cut-once'
  | 'slow'
  | 'busy'

/** A key that the provider has, or was handed. */
export interface ProviderKey extends FakeLicenceKey {
  /** What the entitlement demands of the device. */
  hardware: boolean
  hdcp: number | null
}

/** What an entitlement allows, after every claim was checked. */
export interface Entitled {
  keys: ProviderKey[]
  /** Kept for assertions: the decoded entitlement. */
  claims: unknown
}

/** The parts in which providers differ. */
export interface ProviderProtocol {
  /** Unpacks the challenge and checks the entitlement. Throws a Denial. */
  check: (request: ServerRequest, state: ServerState) => Entitled
  /** Takes the challenge out of the body. */
  challengeOf: (request: ServerRequest) => Buffer
  grant: (
    request: ServerRequest,
    licence: Buffer,
    challenge: FakeChallenge | null,
  ) => LicenceServerResponse
  deny: (request: ServerRequest, denial: Denial) => LicenceServerResponse
}

export interface ServerRequest {
  system: DrmSystemName
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
}

interface LicenceServerResponse {
  status: number
  headers?: Record<string, string>
  body: Buffer | string
}

/** Why a licence server denies a licence. */
export class Denial extends Error {
  readonly reason:
    | 'unauthorised'
    | 'expired'
    | 'replayed'
    | 'revoked'
    | 'level'
    | 'output'
    | 'content'
    | 'internal'

  constructor(reason: Denial['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** A video whose keys the provider has. */
interface ProviderVideo {
  videoId: string
  keys: { keyIdHex: string; keyHex: string; trackTypes: TrackType[] }[]
}

export interface ServerState {
  /** The videos of the provider (key model A). */
  videos: ProviderVideo[]
  /** Ids of used entitlements. */
  used: Set<string>
  nowMs: () => number
}

/** A licence server of the tests, and what it has seen. */
export interface LicenceServer {
  listener: RequestListener
  videos: ProviderVideo[]
  /** The next responses misbehave like this, until it is null again. */
  misbehave: (how: Misbehaviour | null) => void
  /** Every request, also those that were denied. */
  seen: (ServerRequest & { entitled: Entitled | null; denial: string | null })[]
  /** Moves the clock of the server. */
  moveClock: (ms: number) => void
  reset: () => void
}

const SYSTEM_PATH = /\/(widevine|playready|fairplay)\b/

/** Creates the server of a provider; its addresses end in the name of the system. */
export function createLicenceServer(protocol: ProviderProtocol): LicenceServer {
  let misbehaviour: Misbehaviour | null = null
  let offsetMs = 0
  const videos: ProviderVideo[] = []
  const used = new Set<string>()
  const seen: LicenceServer['seen'] = []
  const state: ServerState = { videos, used, nowMs: () => Date.now() + offsetMs }
  const listener: RequestListener = (incoming, response) => {
    void buffer(incoming).then((body) => {
      const { url = '/', headers } = incoming
      const system = systemOf(url)
      const request = { system, path: url, headers, body }
      const how = misbehaviour
      if (how === 'cut-once') misbehaviour = null
      respond(protocol, state, request, seen, how, response)
    })
  }
  return {
    listener,
    videos,
    seen,
    misbehave: (how) => void (misbehaviour = how),
    moveClock: (ms) => void (offsetMs += ms),
    reset: () => {
      misbehaviour = null
      offsetMs = 0
      seen.length = 0
      videos.length = 0
      used.clear()
    },
  }
}

function systemOf(url: string): DrmSystemName {
  const found = SYSTEM_PATH.exec(url)?.[1]
  if (found === 'playready' || found === 'fairplay') return found
  return 'widevine'
}

function respond(
  protocol: ProviderProtocol,
  state: ServerState,
  request: ServerRequest,
  seen: LicenceServer['seen'],
  how: Misbehaviour | null,
  response: ServerResponse,
): void {
  if (how === 'cut' || how === 'cut-once') {
    seen.push({ ...request, entitled: null, denial: null })
    return void response.socket?.destroy()
  }
  if (how === 'slow') return void seen.push({ ...request, entitled: null, denial: null })
  const {
    status,
    headers = {},
    body,
  } = how ? misbehaving(protocol, request, how) : judge(protocol, state, request, seen)
  response.writeHead(status, { 'X-Request-Id': 'request-of-provider-17', ...headers }).end(body)
}

function judge(
  protocol: ProviderProtocol,
  state: ServerState,
  request: ServerRequest,
  seen: LicenceServer['seen'],
): LicenceServerResponse {
  const entry: LicenceServer['seen'][number] = { ...request, entitled: null, denial: null }
  seen.push(entry)
  try {
    const entitled = protocol.check(request, state)
    entry.entitled = entitled
    const bytes = protocol.challengeOf(request)
    if (request.system === 'widevine' && bytes.equals(Buffer.from([8, 4])))
      return protocol.grant(request, Buffer.from(fakeServiceCertificate()), null)
    const challenge = readChallenge(request.system, bytes)
    const keys = allowedKeys(entitled.keys, challenge)
    return protocol.grant(request, Buffer.from(fakeLicence(request.system, keys)), challenge)
  } catch (error) {
    const denial = error instanceof Denial ? error : new Denial('internal', String(error))
    entry.denial = denial.message
    return protocol.deny(request, denial)
  }
}

/** Leaves out the keys whose demands the device does not meet; denies the licence if none is left. */
function allowedKeys(keys: ProviderKey[], challenge: FakeChallenge): FakeLicenceKey[] {
  const asked = keys.filter(({ keyIdHex }) => challenge.keyIdsHex.includes(keyIdHex))
  if (asked.length === 0) throw new Denial('content', REFUSALS.content)
  const secure = asked.filter(({ hardware }) => !hardware || challenge.level === 'hardware')
  if (secure.length === 0) throw new Denial('level', REFUSALS.level)
  const shown = secure.filter(
    ({ hdcp }) => hdcp === null || (challenge.hdcp !== null && challenge.hdcp >= hdcp),
  )
  if (shown.length === 0) throw new Denial('output', REFUSALS.output)
  return shown.map(({ keyIdHex, keyHex }) => ({ keyIdHex, keyHex }))
}

const FAULT =
  '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault>' +
  '<faultstring>secret-of-theirs</faultstring><detail><Exception><StatusCode>0x8004c604</StatusCode>' +
  '</Exception></detail></soap:Fault></soap:Body></soap:Envelope>'

function misbehaving(
  protocol: ProviderProtocol,
  request: ServerRequest,
  how: Misbehaviour,
): LicenceServerResponse {
  switch (how) {
    case 'revoked':
    case 'level':
    case 'output':
    case 'content':
      return protocol.deny(request, new Denial(how, REFUSALS[how]))
    case 'outage':
      return { status: 502, body: 'secret-of-theirs' }
    case 'fault':
      return { status: 500, headers: { 'Content-Type': 'text/xml' }, body: FAULT }
    case 'json-error':
      return {
        status: 200,
        body: JSON.stringify({ errorCode: '7001', message: 'secret-of-theirs' }),
      }
    case 'html':
      return { status: 200, body: '<!doctype html><p>secret-of-theirs</p>' }
    case 'busy':
      return { status: 429, body: 'secret-of-theirs' }
    case 'empty':
    case 'cut':
    case 'cut-once':
    case 'slow':
      return { status: 200, body: '' }
  }
}

/** Returns the first value of a header. Throws a Denial if there is none. */
export function readHeader({ headers }: ServerRequest, name: string): string {
  const value = headers[name]
  if (typeof value !== 'string') throw new Denial('unauthorised', `there is no ${name}`)
  return value
}

/** Throws a Denial unless `holds`. */
export function demand(
  holds: boolean,
  message: string,
  reason: Denial['reason'] = 'unauthorised',
): asserts holds {
  if (!holds) throw new Denial(reason, message)
}
