import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PLAYER_SETTINGS } from '../../domain/settings/player-settings.ts'
import { previewLookOf } from '../../domain/settings/preview-look.ts'
import { parseMasterKeys, seal, sealTicket } from '../sealing/sealing.ts'
import { signingSecretContext } from '../sealing/secret-contexts.ts'
import { openPreviewTicket, sealPreviewTicket } from './preview-ticket.ts'

const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))
const subject = { accountId: 7, videoId: 'a'.repeat(20), viewerId: 'dashboard:3' }
const look = previewLookOf(DEFAULT_PLAYER_SETTINGS)
const NOW_MS = 1_800_000_000_000
const ticket = sealPreviewTicket(masterKeys, subject, { look, expiresAtMs: NOW_MS + 1 })
const open = (text: string, change = {}, nowMs = NOW_MS) =>
  openPreviewTicket(masterKeys, Object.assign({}, subject, change), text, nowMs)

describe('a preview ticket', () => {
  it('carries a look to its end', () => {
    expect(open(ticket)).toEqual(look)
    expect(open(ticket, {}, NOW_MS + 1)).toBeNull()
  })

  it.each([{ accountId: 8 }, { videoId: 'b'.repeat(20) }, { viewerId: 'dashboard:4' }])(
    'does not open for %j',
    (change) => expect(open(ticket, change)).toBeNull(),
  )

  it('does not open after any change of its text', () => {
    for (let index = 0; index < ticket.length; index++) {
      const changed = ticket.slice(0, index) + (ticket[index] === 'x' ? 'y' : 'x')
      expect(open(changed + ticket.slice(index + 1))).toBeNull()
    }
  })

  it('is not any other text, nor another value under the same key', () => {
    const content = JSON.stringify({ exp: NOW_MS + 1, look })
    const sealed = seal(masterKeys, content, signingSecretContext(7))
    const context = `preview-ticket:7:${subject.videoId}:dashboard:3`
    const other = sealTicket(masterKeys, JSON.stringify({ exp: NOW_MS + 1, look: {} }), context)
    for (const text of ['', 'v1', 'x'.repeat(5_000), sealed, other]) expect(open(text)).toBeNull()
  })

  const { theme: _theme, ...partial } = look
  it.each([
    partial,
    { ...look, theme: 'blue' },
    { ...look, keep_original: true },
    { ...look, watermark: { ...look.watermark, required: false } },
    { ...partial, colors: { ...look.colors, theme: 'dark' } },
    { ...partial, 'watermark.size': 'small', theme: 'dark' },
  ])('carries nothing but a whole look, so not %j', (other) => {
    const context = `preview-ticket:7:${subject.videoId}:dashboard:3`
    const content = JSON.stringify({ exp: NOW_MS + 1, look: other })
    expect(open(sealTicket(masterKeys, content, context))).toBeNull()
  })
})
