import { describe, expect, it } from '@jest/globals'
import { setUpApi } from '../testing/api-world.ts'

const t = setUpApi()
const { call, makeAccount } = t

describe('POST /v1/webhook-endpoints', () => {
  const post = (body: object, key = t.ours.key) =>
    call('POST', '/v1/webhook-endpoints', { body, key })
  const url = (): string => `${t.outside.baseUrl}/hook`

  it('answers with the endpoint and, this once, its secret', async () => {
    const { status, json } = await post({ url: url(), events: ['video.ready', 'video.ready'] })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      ...{ object: 'webhook_endpoint', events: ['video.ready'], is_active: true, failure_count: 0 },
      secret: expect.stringMatching(/^whsec_/),
    })
    const [row] = await t.db.em
      .fork()
      .execute<{ row: string }[]>('select w::text as row from webhook_endpoint w')
    expect(row?.row).not.toContain(String(json.secret))
  })

  it.each([
    [{ events: ['video.ready'] }, 422, 'invalid_parameter'],
    [{ url: 'https://a.example/', events: [] }, 422, 'invalid_parameter'],
    [{ url: 'https://a.example/', events: ['webhook.test'] }, 422, 'unknown_event_type'],
    [{ url: 'https://a.example/', events: ['video.made'] }, 422, 'unknown_event_type'],
    [{ url: 'http://a.example/', events: ['video.ready'] }, 422, 'invalid_webhook_url'],
    [{ url: 'https://a.example:9/', events: ['video.ready'] }, 422, 'invalid_webhook_url'],
    [{ url: 'https://192.168.0.1/', events: ['video.ready'] }, 422, 'webhook_url_not_allowed'],
    [{ url: 'https://nothing.invalid/', events: ['video.ready'] }, 422, 'webhook_url_unreachable'],
    [{ url: 'https://a.example/', events: ['video.ready'], secret: 'x' }, 400, 'unknown_parameter'],
  ])('refuses %j', async (body, status, code) => {
    expect(await post(body)).toMatchObject({ status, code })
  })

  it('takes at most twenty, also of many at once', async () => {
    const account = await makeAccount()
    const body = { url: url(), events: ['usage.threshold_reached'] }
    const answers = await Promise.all(Array.from({ length: 25 }, () => post(body, account.key)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(answers.filter(({ code }) => code === 'too_many_webhook_endpoints')).toHaveLength(5)
  })
})
