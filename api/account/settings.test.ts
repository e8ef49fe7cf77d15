import { describe, expect, it } from 'vitest'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call } = t

describe('account and settings', () => {
  it('are read-only', async () => {
    expect((await call('GET', '/v1/account')).json).toMatchObject({
      id: t.ours.id,
      object: 'account',
    })
    const { json } = await call('GET', '/v1/settings/player')
    for (const group of [
      'theme',
      'colors',
      'available_resolutions',
      'subtitles',
      'watermark',
      'allowed_domains',
      'blocked_domains',
      'app_only_l3',
      'keep_original',
    ])
      expect(json).toHaveProperty(group)
    expect((await call('PATCH', '/v1/settings/player', { body: {} })).status).toBe(405)
  })
})
