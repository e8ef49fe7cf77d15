import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPlainViewerId } from '../../domain/playback/viewer-id.ts'
import { signViewerToken as signOnServer } from '../../security/tokens/viewer-token.ts'
import { setUpSdkFixture } from '../../test/fixtures/sdk.ts'
import { signViewerToken } from './index.ts'

const t = setUpSdkFixture()
const signingSecret = '0123456789abcdef'.repeat(4)
const expiresAt = new Date(Math.floor(Date.now() / 1000 + 3600) * 1000)
const expiresAtSeconds = expiresAt.getTime() / 1000

describe('playbackTokens.signLocally', () => {
  it.each(['viewer-42', 'zoë', '"quoted" \\ <&>', '木木', '🎬'])(
    'signs the same bytes for %s as POST playback-tokens',
    async (viewerId) => {
      const { id } = await t.reelgate.videos.create({ source_url: t.api.sourceUrl() })
      const minted = await t.reelgate.playbackTokens.create(id, {
        viewer_id: viewerId,
        ttl_seconds: 3600,
      })
      const signed = await t.reelgate.playbackTokens.signLocally({
        viewerId,
        expiresAt: new Date(minted.expires_at),
        signingSecret: await t.signingSecret(),
      })
      expect(signed).toBe(minted.vt)
    },
  )

  it('signs the same bytes as the server for every id that it accepts, and refuses all others', async () => {
    const unit = fc.constantFrom('grapheme' as const, 'binary' as const)
    const odd = fc.constantFrom('\u202e', '\u200b', ' ', '\u3164', '\u2800', '\u2069', 'a')
    const ids = fc.oneof(
      unit.chain((kind) => fc.string({ unit: kind, maxLength: 70 })),
      fc.string({ unit: odd, maxLength: 6 }),
    )
    await fc.assert(
      fc.asyncProperty(ids, async (viewerId) => {
        const signed = signViewerToken({ viewerId, expiresAt, signingSecret })
        if (isPlainViewerId(viewerId))
          expect(await signed).toBe(signOnServer({ viewerId, expiresAtSeconds }, signingSecret))
        else await expect(signed).rejects.toMatchObject({ param: 'viewerId' })
      }),
      { numRuns: 500 },
    )
  })

  it('is valid for six hours, or for the given time', async () => {
    const expiryOf = (vt: string): number =>
      (JSON.parse(atob(vt.split('.')[0] ?? '')) as { exp: number }).exp
    const now = Date.now() / 1000
    const usual = await signViewerToken({ viewerId: 'v', signingSecret })
    const short = await signViewerToken({ viewerId: 'v', signingSecret, ttlSeconds: 60 })
    expect(Math.abs(expiryOf(usual) - now - 21_600)).toBeLessThan(5)
    expect(Math.abs(expiryOf(short) - now - 60)).toBeLessThan(5)
  })

  it.each([
    [{ viewerId: '' }, 'viewerId'],
    [{ viewerId: 'x'.repeat(65) }, 'viewerId'],
    [{ viewerId: 'é'.repeat(33) }, 'viewerId'],
    [{ viewerId: 'a\nb' }, 'viewerId'],
    [{ viewerId: 'ann\u202eeel' }, 'viewerId'],
    [{ viewerId: ' \u200b' }, 'viewerId'],
    [{ viewerId: '\ud800' }, 'viewerId'],
    [{ viewerId: 7 as unknown as string }, 'viewerId'],
    [{ ttlSeconds: 59 }, 'ttlSeconds'],
    [{ ttlSeconds: 86_401 }, 'ttlSeconds'],
    [{ ttlSeconds: 60.5 }, 'ttlSeconds'],
    [{ ttlSeconds: 60, expiresAt }, 'expiresAt'],
    [{ expiresAt: new Date(0) }, 'expiresAt'],
    [{ expiresAt: new Date(Number.NaN) }, 'expiresAt'],
    [{ expiresAt: new Date(Date.now() + 86_460_000) }, 'expiresAt'],
    [{ signingSecret: 'short' }, 'signingSecret'],
    [{ signingSecret: undefined as unknown as string }, 'signingSecret'],
  ])('refuses %j', async (options, param) => {
    const good = { viewerId: 'v', signingSecret }
    await expect(signViewerToken({ ...good, ...options })).rejects.toMatchObject({
      name: 'ReelgateError',
      code: 'invalid_parameter',
      param,
      message: expect.not.stringContaining(signingSecret),
    })
  })
})
