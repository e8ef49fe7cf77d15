import { beforeAll, describe, expect, it } from 'vitest'
import { recordSecurityEvent } from '../../commands/security-events/record-security-event.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call } = t
const videoId = 'a'.repeat(20)

describe('GET /v1/security-events', () => {
  beforeAll(async () => {
    for (const [eventType, viewerId] of [
      ['viewer_token_required', null],
      ['drm_device_revoked', 'zoë'],
      ['viewer_token_required', 'zoë'],
    ] as const)
      await recordSecurityEvent(t.db.em.fork(), {
        accountId: t.ours.id,
        eventType,
        severity: 'medium',
        videoId,
        viewerId,
        details: { reason: 'for the operator alone' },
      })
  })

  const list = async (query = '', key = t.ours.key) =>
    (await call('GET', `/v1/security-events${query}`, { key })).json.data as object[]

  it('lists them newest first, without the details for the operator', async () => {
    const [newest, ...others] = await list()
    expect(newest).toEqual({
      id: expect.any(Number),
      object: 'security_event',
      severity: 'medium',
      event_type: 'viewer_token_required',
      video_id: videoId,
      viewer_id: 'zoë',
      created_at: expect.any(String),
    })
    expect(others).toHaveLength(2)
    expect(await list('', t.theirs.key)).toEqual([])
  })

  it('filters by type, video and viewer', async () => {
    expect(await list('?event_type=drm_device_revoked')).toHaveLength(1)
    expect(await list(`?viewer_id=${encodeURIComponent('zoë')}`)).toHaveLength(2)
    expect(await list(`?video_id=${'b'.repeat(20)}`)).toEqual([])
    expect(await list('?limit=1')).toHaveLength(1)
  })
})
