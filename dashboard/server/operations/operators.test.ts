import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appendEvent } from '../../../commands/events.ts'
import { setOperatorById } from '../../../commands/members/operators.ts'
import { Plan } from '../../../db/entities/account.ts'
import { WebhookEndpoint } from '../../../db/entities/event.ts'
import { AuditEntry } from '../../../db/entities/member.ts'
import { Video } from '../../../db/entities/video.ts'
import { ROLES } from '../../../domain/accounts/roles.ts'
import { videoWorkflowId } from '../../../domain/workflow-ids.ts'
import type { Operation } from '../../../http/operation.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'
import { insertVideoFixture } from '../../../test/fixtures/video-rows.ts'
import { startTestNetwork } from '../../../test/infrastructure/test-network.ts'
import { until } from '../../../test/infrastructure/wait-for.ts'
import { operatorOperations } from './operators.ts'

const network = await startTestNetwork()
const { port } = await network.serveHttps(['files.test'], (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': '1000' }).end()
})
network.dns.set('files.test', ['127.0.0.1'])
const sourceUrl = `https://files.test:${port}/film.mp4`
const t = setUpDashboardFixture(() => ({ egress: network.egress() }))
const by = { kind: 'operator', id: null, name: 'root' } as const
let operatorId: number
let token: string
let failedId: string

beforeAll(async () => {
  const { id } = await t.insertMember('root@site.example', 'reader')
  operatorId = id
  await setOperatorById(t.em(), id, { isOperator: true, by })
  token = await t.startSession(id)
  // Of the other account, of which the operator is no member.
  const facts = { accountId: t.otherAccountId, status: 'failed', sourceUrl } as const
  failedId = await insertVideoFixture(t.db, facts)
  await t.em().nativeUpdate(Video, { id: failedId }, { errorCode: 'source_unreachable' })
  await t.em().insert(WebhookEndpoint, {
    accountId: t.otherAccountId,
    url: 'https://hooks.example/secret-path',
    events: ['video.ready'],
    sealedSecret: 'sealed',
    disabledReason: null,
    failureCount: 7,
  })
})

afterAll(() => network.close())

const operationPath = ({ path }: Operation): string => path.replace('{id}', failedId)

const ask = async (method: string, path: string, session: string | null = token) => {
  const body = method === 'POST' ? { body: {} } : {}
  const address = `/api/accounts/${t.accountId}${path}`
  const response = await t.send(method, address, { token: session, ...body })
  const json = (await response.json()) as Record<string, unknown> & { error?: { code: string } }
  return { status: response.status, json, code: json.error?.code }
}

describe.each(operatorOperations.map((one) => [one.id, one] as const))('%s', (_id, operation) => {
  const method = operation.method.toUpperCase()

  it.each(ROLES)('is not there for a member with the role %s who is no operator', async (role) => {
    const session = await t.startSession(t.members[role].id)
    const reply = await ask(method, operationPath(operation), session)
    const nowhere = await ask('GET', '/operator/nothing', session)
    expect([reply.status, reply.code]).toEqual([404, 'route_not_found'])
    expect({ ...reply.json.error, request_id: '' }).toEqual({
      ...nowhere.json.error,
      request_id: '',
    })
  })

  it('is closed without a session', async () => {
    expect((await ask(method, operationPath(operation), null)).code).toBe('not_signed_in')
  })
})

describe('an operator', () => {
  it('sees each part that responds, and the reason of the one that is away', async () => {
    let json: Record<string, unknown> = {}
    const parts = ['backlogs', 'failed_videos', 'failing_endpoints', 'disks', 'versions']
    const responses = (part: string) => (json[part] as { reason: string | null }).reason === null
    // On a busy machine a part may take longer than the page waits.
    await until(async () => {
      const reply = await ask('GET', '/operator/installation')
      expect(reply.status).toBe(200)
      json = reply.json
      return parts.every(responses)
    })
    expect(json).toMatchObject({
      task_queues: { data: null, reason: expect.stringMatching(/reached|time/) },
      backlogs: { reason: null, data: { workflow_requests: { count: expect.any(Number) } } },
      failed_videos: { data: [{ id: failedId, account_id: t.otherAccountId }] },
      failing_endpoints: { data: [{ host: 'hooks.example', failure_count: 7 }] },
      disks: { reason: null, data: [{ free_bytes: expect.any(Number) }] },
      versions: { reason: null, data: { node: process.versions.node } },
    })
    // The address of an endpoint may contain a secret.
    expect(JSON.stringify(json)).not.toContain('secret-path')
  })

  it('sees the results of doctor, with those of the parts that are away', async () => {
    const { json } = await ask('GET', '/operator/doctor')
    const checks = new Map(
      (json.checks as { name: string; ok: boolean }[]).map(({ name, ok }) => [name, ok]),
    )
    expect([checks.get('database'), checks.get('temporal')]).toEqual([true, false])
    // This process has no storage to try.
    expect(checks.has('storage')).toBe(false)
  }, 30_000)

  it('finds a video of any account, with its deliveries, and why it failed', async () => {
    const data = { id: failedId, object: 'video', status: 'ready' } as const
    const event = { accountId: t.otherAccountId, type: 'video.ready', data } as const
    await t.em().transactional((tx) => appendEvent(tx, event))
    const { json } = await ask('GET', `/operator/videos/${failedId}`)
    expect(json).toMatchObject({
      account_id: t.otherAccountId,
      status: 'failed',
      error_code: 'source_unreachable',
      can_retry: true,
      workflow_id: videoWorkflowId(failedId),
      deliveries: [{ event_type: 'video.ready', status: 'pending' }],
    })
    expect(JSON.stringify(json)).not.toContain(sourceUrl)
    expect((await ask('GET', `/operator/videos/${'0'.repeat(20)}`)).code).toBe('video_not_found')
  })

  it('sees a running video while Temporal is away', async () => {
    const id = await insertVideoFixture(t.db, { accountId: t.otherAccountId, status: 'processing' })
    const { json } = await ask('GET', `/operator/videos/${id}`)
    expect(json).toMatchObject({
      can_retry: false,
      progress: { id },
      troubles: { data: null, reason: expect.any(String) },
    })
    expect((await ask('POST', `/operator/videos/${id}/retry`)).code).toBe('video_not_failed')
  })

  it('makes a new video from a failed one, which the log of its account names', async () => {
    await t.em().nativeUpdate(Plan, { accountId: t.otherAccountId }, { isActive: true })
    const { status, json } = await ask('POST', `/operator/videos/${failedId}/retry`)
    expect([status, json]).toEqual([
      202,
      {
        object: 'retried_video',
        id: expect.any(String),
        account_id: t.otherAccountId,
        retry_of: failedId,
      },
    ])
    const [failed, made] = await Promise.all([
      t.em().findOne(Video, { id: failedId }),
      t.em().findOne(Video, { id: String(json.id) }),
    ])
    expect([failed?.status, made?.status, made?.sourceUrl]).toEqual(['failed', 'queued', sourceUrl])
    const entries = await t.em().find(AuditEntry, { subject: String(json.id) })
    expect(entries).toMatchObject([
      {
        accountId: t.otherAccountId,
        action: 'video.create',
        actorKind: 'operator',
        actorName: 'root@site.example',
        after: { retry_of: failedId },
      },
    ])
  })

  it('loses the page with the next request after the mark is taken away', async () => {
    await setOperatorById(t.em(), operatorId, { isOperator: false, by })
    expect((await ask('GET', '/operator/installation')).code).toBe('route_not_found')
    await setOperatorById(t.em(), operatorId, { isOperator: true, by })
  })
})
