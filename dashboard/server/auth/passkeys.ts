import { isIP } from 'node:net'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { z } from 'zod'
import type { UsedPasskey } from '../../../commands/members/passkeys.ts'
import { findPasskey, listPasskeys } from '../../../db/members/passkeys.ts'
import { openGuessWindow } from '../../../db/members/write-guess-limits.ts'
import { PASSKEY_CHALLENGE_MS } from '../../../domain/limits.ts'
import { parseJson } from '../../../domain/parse-json.ts'
import { ApiError } from '../../../http/api-error.ts'
import { openTicket, sealTicket } from '../../../security/sealing/sealing.ts'
import type { DashboardDeps } from '../deps.ts'
import type { AuthenticationResponse, RegistrationResponse } from './passkey-responses.ts'

/** Options for the browser, and the sealed challenge that it sends back. */
interface PasskeyChallenge {
  object: 'passkey_challenge'
  options: { challenge: string; [name: string]: unknown }
  ticket: string
}

/** Who asks for a passkey: a session, or null for a person who signs in. */
type SessionId = number | null

export interface Passkeys {
  /** False for an IP address and on plain http, where browsers have no passkeys. */
  isAvailable: boolean
  /** The address of the dashboard, the only one at which they work. */
  origin: string
  challengeToAdd: (session: {
    id: number
    memberId: number
    email: string
    memberName: string
  }) => Promise<PasskeyChallenge>
  challengeToUse: (sessionId: SessionId, memberId?: number) => Promise<PasskeyChallenge>
  /** Checks a new passkey. Throws `invalid_parameter`. */
  checkNew: (
    sessionId: number,
    reply: RegistrationResponse,
  ) => Promise<{ id: string; publicKey: Uint8Array; counter: number; transports: string[] }>
  /** Checks the signature of a passkey. Throws `wrong_credentials`. */
  checkUsed: (sessionId: SessionId, reply: AuthenticationResponse) => Promise<UsedPasskey>
}

const SERVICE = 'Reelgate'

/** Opens the passkeys of the dashboard's public address (WebAuthn). Each challenge can be used once. */
export function openPasskeys(deps: DashboardDeps): Passkeys {
  const { db } = deps
  const { origin, hostname, protocol } = new URL(deps.dashboardBase)
  const isSafe = protocol === 'https:' || hostname === 'localhost'
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true }
  const tickets = openTickets(deps)
  return {
    isAvailable: isSafe && isIP(hostname.replaceAll(/[[\]]/g, '')) === 0,
    origin,
    async challengeToAdd({ id, memberId, email, memberName }) {
      const known = await listPasskeys(db.em.fork(), memberId)
      const options = await generateRegistrationOptions({
        rpName: SERVICE,
        rpID: hostname,
        userID: new TextEncoder().encode(`member:${memberId}`),
        userName: email,
        userDisplayName: memberName,
        excludeCredentials: known.map((passkey) => ({ id: passkey.id })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      return tickets.issue('add', id, options)
    },
    async challengeToUse(sessionId, memberId) {
      const own = memberId === undefined ? [] : await listPasskeys(db.em.fork(), memberId)
      const options = await generateAuthenticationOptions({
        rpID: hostname,
        allowCredentials: own.map(({ id, transports }) => ({ id, transports })),
        userVerification: 'required',
      })
      return tickets.issue('use', sessionId, options)
    },
    async checkNew(sessionId, { ticket, response }) {
      const expectedChallenge = await tickets.redeem('add', sessionId, ticket)
      const checked = await verifyRegistrationResponse({ ...expected, response, expectedChallenge })
        // Its errors describe what the browser sent.
        .catch(() => null)
      if (!checked?.verified)
        throw new ApiError('invalid_parameter', {
          param: 'response',
          message: explainRefusal(response.response.clientDataJSON, origin),
        })
      const { id, publicKey, counter } = checked.registrationInfo.credential
      return { id, publicKey, counter, transports: response.response.transports }
    },
    async checkUsed(sessionId, { ticket, response }) {
      const expectedChallenge = await tickets.redeem('use', sessionId, ticket)
      const passkey = await findPasskey(db.em.fork(), response.id)
      if (!passkey) throw unusable()
      const { id, memberId, counter, transports } = passkey
      const credential = { id, counter, transports, publicKey: new Uint8Array(passkey.publicKey) }
      const reply = { ...expected, response, expectedChallenge, credential }
      const checked = await verifyAuthenticationResponse(reply).catch(() => null)
      if (!checked?.verified) throw unusable()
      return { id, memberId, counter: checked.authenticationInfo.newCounter }
    },
  }
}

const unusable = (): ApiError =>
  new ApiError('wrong_credentials', { message: 'The passkey is unknown or could not be verified.' })

const clientData = z.object({ origin: z.url().max(255) })

/** Why a new passkey is refused. The browser states the address at which it was made. */
function explainRefusal(clientDataJSON: string, expected: string): string {
  const text = Buffer.from(clientDataJSON, 'base64url').toString()
  const { data: made } = clientData.safeParse(parseJson(text))
  return made === undefined || made.origin === expected
    ? 'The passkey could not be verified.'
    : `The passkey was made at ${made.origin}, and DASHBOARD_BASE_URL is ${expected}.`
}

const ticketSchema = z.object({ challenge: z.string(), expiresAt: z.number() })

/** Seals challenges for one purpose and one session, and opens each at most once. */
function openTickets({ db, masterKeys }: DashboardDeps) {
  const uses = openGuessWindow(db, { attempts: 1, seconds: PASSKEY_CHALLENGE_MS / 1000 })
  const contextOf = (purpose: string, sessionId: SessionId): string =>
    `passkey-challenge:${purpose}:${sessionId ?? 'sign-in'}`
  const open = (purpose: string, sessionId: SessionId, ticket: string) => {
    const text = openTicket(masterKeys, ticket, contextOf(purpose, sessionId))
    const read = ticketSchema.safeParse(text === null ? null : parseJson(text))
    if (!read.success) throw unusable()
    return read.data
  }
  return {
    issue(purpose: string, sessionId: SessionId, options: { challenge: string }): PasskeyChallenge {
      const expiresAt = Date.now() + PASSKEY_CHALLENGE_MS
      const content = JSON.stringify({ challenge: options.challenge, expiresAt })
      const ticket = sealTicket(masterKeys, content, contextOf(purpose, sessionId))
      return { object: 'passkey_challenge', options: { ...options }, ticket }
    },
    async redeem(purpose: string, sessionId: SessionId, ticket: string): Promise<string> {
      const { challenge, expiresAt } = open(purpose, sessionId, ticket)
      if (expiresAt < Date.now() || (await uses.count(challenge)) > 0) throw unusable()
      return challenge
    },
  }
}
