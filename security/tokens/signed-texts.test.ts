import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PLAYER_SETTINGS } from '../../domain/settings/player-settings.ts'
import { previewLookOf } from '../../domain/settings/preview-look.ts'
import { signText } from '../hmac.ts'
import { deriveKeys, parseMasterKeys, seal, sealTicket } from '../sealing/sealing.ts'
import { signingSecretContext } from '../sealing/secret-contexts.ts'
import { createAppChallenge, readAppChallenge } from './app-challenge.ts'
import { openFrameTicket, sealFrameTicket } from './frame-ticket.ts'
import { signMemberToken, verifyMemberToken } from './member-token.ts'
import { openPlaylistTicket, sealPlaylistTicket } from './playlist-ticket.ts'
import { openPreviewTicket, sealPreviewTicket } from './preview-ticket.ts'
import { signReferrer, verifyReferrer } from './referrer-ticket.ts'
import { signSession, verifySession } from './session-token.ts'
import { readViewerToken, signViewerToken, verifyViewerToken } from './viewer-token.ts'

const NOW = Date.now()
const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))
const sessionKeys = deriveKeys(masterKeys, 'playback-session')
const siteKeys = deriveKeys(masterKeys, 'framing-site')
const challengeKeys = deriveKeys(masterKeys, 'app-challenge')
const videoId = 'a1b2c3d4e5f6a7b8c9d0'
const signingSecret = randomBytes(32).toString('hex')
const account = {
  id: 7,
  sealedSigningSecret: seal(masterKeys, signingSecret, signingSecretContext(7)),
}
const claims = { viewerId: 'ann', expiresAtSeconds: Math.floor(NOW / 1000) + 60 }
const member = signMemberToken(masterKeys, account, 3)
const link = `service://play/${videoId}/Nw==/`
const subject = { accountId: 7, videoId, viewerId: member.viewerId }
const session = signSession(
  {
    sessionId: randomUUID(),
    videoId,
    accountId: 7,
    viewerId: 'ann',
    secretVersion: 1,
    refererHost: 'site.example',
    startedAtMs: NOW,
  },
  sessionKeys,
  NOW,
)
const look = { look: previewLookOf(DEFAULT_PLAYER_SETTINGS), expiresAtMs: NOW + 60_000 }

/** A valid text of each kind, and what reads this kind: a value that says that it is valid, else null. */
const KINDS: Record<string, { text: string; read: (text: string) => unknown }> = {
  'session token': { text: session, read: (text) => verifySession(text, sessionKeys, NOW) },
  'playlist ticket': {
    text: sealPlaylistTicket(masterKeys, session),
    read: (text) => openPlaylistTicket({ masterKeys, sessionKeys }, text, NOW),
  },
  'site ticket': {
    text: signReferrer('https://site.example/', videoId, siteKeys),
    read: (text) => verifyReferrer(text, videoId, siteKeys),
  },
  'app challenge': {
    text: createAppChallenge(link, challengeKeys, NOW).text,
    read: (text) => readAppChallenge(text, link, challengeKeys, NOW),
  },
  'preview ticket': {
    text: sealPreviewTicket(masterKeys, subject, look),
    read: (text) => openPreviewTicket(masterKeys, subject, text, NOW),
  },
  'frame ticket': {
    text: sealFrameTicket(masterKeys, { videoId, name: 'frame' }, NOW),
    read: (text) => openFrameTicket(masterKeys, text, NOW),
  },
  'viewer token': {
    text: signViewerToken(claims, signingSecret),
    read: (text) => {
      const verdict = verifyViewerToken(readViewerToken(text), signingSecret, NOW)
      return verdict.ok ? verdict.claims : null
    },
  },
  'member token': {
    text: member.vt,
    read: (text) => {
      const verdict = verifyMemberToken(masterKeys, account, readViewerToken(text))
      return verdict.ok ? verdict.claims : null
    },
  },
}

/** Genuine signatures and seals of the wrong kind, and texts in all forms that no verifier knows. */
const OTHERS = [
  ['', '.', '..', 'a.b', 'v1', '{}', 'null', '\0', '\ud800', '%', 'v1..', 'x'.repeat(5000)],
  [sessionKeys, siteKeys, challengeKeys].flatMap((keys) =>
    ['', 'text', 'bnVsbA', 'e30', 'AA', `referrer ${videoId} eA`, `app-challenge a.1 b`].map(
      (text) => `${text}.${signText(keys, text)}`,
    ),
  ),
  ['playlist-ticket', 'frame-ticket', `preview-ticket:7:${videoId}:${member.viewerId}`].flatMap(
    (context) => ['', 'text', '{', 'null'].map((text) => sealTicket(masterKeys, text, context)),
  ),
].flat()

describe.each(Object.entries(KINDS))('a %s', (kind, { text, read }) => {
  it('is read as one', () => expect(read(text)).not.toBeNull())

  it.each(Object.entries(KINDS).filter(([other]) => other !== kind))(
    'is not what a valid %s is',
    (_other, { text: foreign }) => expect(read(foreign)).toBeNull(),
  )

  it('is nothing else, whatever has signed or sealed it', () => {
    for (const other of OTHERS) expect(read(other), other).toBeNull()
  })
})
