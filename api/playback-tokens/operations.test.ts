import { beforeAll, describe, expect, it } from 'vitest'
import { Account } from '../../db/entities/account.ts'
import { unseal } from '../../security/sealing/sealing.ts'
import { signingSecretContext } from '../../security/sealing/secret-contexts.ts'
import { signViewerToken } from '../../security/tokens/viewer-token.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call, create } = t

describe('POST /v1/videos/{id}/playback-tokens', () => {
  let path: string
  let title: string

  beforeAll(async () => {
    const { json } = await create()
    path = `/v1/videos/${String(json.id)}/playback-tokens`
    title = String(json.title)
  })

  it('creates the same bytes as a token that the account signs', async () => {
    const { status, json, headers } = await call('POST', path, {
      body: { viewer_id: 'zoë', ttl_seconds: 60 },
    })
    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('private, no-store')
    const account = await t.db.em.fork().findOneOrFail(Account, { id: t.ours.id })
    const secret = unseal(
      t.masterKeys,
      account.sealedSigningSecret,
      signingSecretContext(t.ours.id),
    ).toString()
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    const expiresAtSeconds = Date.parse(String(json.expires_at)) / 1000
    expect(json.vt).toBe(signViewerToken({ viewerId: 'zoë', expiresAtSeconds }, secret))
    expect(expiresAtSeconds - Date.now() / 1000).toBeLessThanOrEqual(60)
    expect(json.deep_link).toBe(
      `service://play/${String(json.video_id)}/${btoa(String(t.ours.id))}/${String(json.vt)}`,
    )
    expect(json.embed_url).toContain(`?vt=${String(json.vt)}`)
    expect(json.iframe_html).toContain(`title="${title}"`)
  })

  it('lasts six hours by default', async () => {
    const { json } = await call('POST', path, { body: { viewer_id: 'v' } })
    const seconds = (Date.parse(String(json.expires_at)) - Date.now()) / 1000
    expect(Math.round(seconds / 10)).toBe(2160)
  })

  it.each([
    [{}, 'viewer_id'],
    [{ viewer_id: '' }, 'viewer_id'],
    [{ viewer_id: 'x'.repeat(65) }, 'viewer_id'],
    [{ viewer_id: 'é'.repeat(33) }, 'viewer_id'],
    [{ viewer_id: 'a\nb' }, 'viewer_id'],
    [{ viewer_id: 'ann\u202eeel' }, 'viewer_id'],
    [{ viewer_id: '\u200b' }, 'viewer_id'],
    [{ viewer_id: ' ' }, 'viewer_id'],
    [{ viewer_id: 7 }, 'viewer_id'],
    [{ viewer_id: 'v', ttl_seconds: 59 }, 'ttl_seconds'],
    [{ viewer_id: 'v', ttl_seconds: 86_401 }, 'ttl_seconds'],
    [{ viewer_id: 'v', ttl_seconds: '60' }, 'ttl_seconds'],
    [{ viewer_id: 'v', ttl_seconds: null }, 'ttl_seconds'],
  ])('refuses %j', async (body, param) => {
    const response = await call('POST', path, { body })
    expect(response).toMatchObject({ status: 422, code: 'invalid_parameter' })
    expect(response.json.error?.param).toBe(param)
  })

  it('is refused for another account', async () => {
    const response = await call('POST', path, { body: { viewer_id: 'v' }, key: t.theirs.key })
    expect(response.code).toBe('video_not_found')
  })
})
