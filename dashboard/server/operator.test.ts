import { beforeAll, describe, expect, it } from 'vitest'
import { setOperatorById } from '../../commands/members/operators.ts'
import { ROLES } from '../../domain/accounts/roles.ts'
import { SCOPES } from '../../domain/accounts/scopes.ts'
import { deliveryWorkflowId, videoWorkflowId } from '../../domain/workflow-ids.ts'
import type { Operation } from '../../http/operation.ts'
import { createKeyFixture } from '../../test/fixtures/account.ts'
import { setUpDashboardFixture, WORKFLOWS_URL } from '../../test/fixtures/dashboard.ts'
import { createObjects, type Objects } from '../../test/fixtures/foreign-objects.ts'
import { MOUNTED_OPERATIONS } from './operations.ts'

const t = setUpDashboardFixture()
const by = { kind: 'operator', id: null, name: 'root' } as const
let objects: Objects
/** What only an operator may learn. */
let secrets: string[]

beforeAll(async () => {
  objects = await createObjects(t, 'owner')
  secrets = [
    new URL(WORKFLOWS_URL.main).host,
    videoWorkflowId(String(objects.video_not_found)),
    deliveryWorkflowId(Number(objects.webhook_delivery_not_found)),
  ]
})

const setOperator = (memberId: number, isOperator: boolean) =>
  setOperatorById(t.em(), memberId, { isOperator, by })

/** The path of a read, with the ids of objects that exist. */
const operationPath = ({ path, params }: Operation): string =>
  Object.entries(params).reduce<string>(
    (filled, [name, { notFound }]) => filled.replace(`{${name}}`, String(objects[notFound])),
    path,
  )

const READS = MOUNTED_OPERATIONS.filter(({ method }) => method === 'get')

/** All responses that a caller can read, as one text. */
async function readAll(accountId: number, options: Parameters<typeof t.send>[2]): Promise<string> {
  const responses = await Promise.all(
    READS.map(async (read) => {
      const path = `/api/accounts/${accountId}${operationPath(read)}`
      return (await t.send('GET', path, options)).text()
    }),
  )
  return responses.join('\n')
}

describe('the workflows of Temporal', () => {
  it.each(ROLES)(
    'are not shown to a member with the role %s who is not an operator',
    async (role) => {
      const text = await readAll(t.accountId, { token: await t.startSession(t.members[role].id) })
      expect(text).toContain('"is_operator":false')
      for (const secret of secrets) expect(text).not.toContain(secret)
    },
  )

  it('are not shown to the owner of another account, to an API key, and without a session', async () => {
    const stranger = { token: await t.startSession(t.members.stranger.id) }
    const key = await createKeyFixture(t.db, t.accountId, SCOPES)
    const texts = [
      await readAll(t.accountId, stranger),
      await readAll(t.otherAccountId, stranger),
      await readAll(t.accountId, { headers: { Authorization: `Bearer ${key}` } }),
      await readAll(t.accountId, {}),
    ]
    for (const secret of secrets) expect(texts.join('\n')).not.toContain(secret)
  })

  it('are shown to an operator with any role, until that is taken away', async () => {
    const { id } = await t.insertMember('operator@site.example', 'reader')
    const token = await t.startSession(id)
    const path = `/api/accounts/${t.accountId}/me`
    const me = async () => (await t.send('GET', path, { token })).json()
    await setOperator(id, true)
    expect(await me()).toMatchObject({
      is_operator: true,
      workflows_url: WORKFLOWS_URL.main,
      delivery_workflows_url: WORKFLOWS_URL.deliveries,
      role: 'reader',
    })
    await setOperator(id, false)
    expect(await me()).toMatchObject({
      is_operator: false,
      workflows_url: null,
      delivery_workflows_url: null,
    })
  })
})

describe('an operator', () => {
  it('has no right in an account beyond the role there', async () => {
    const { id } = await t.insertMember('limited@site.example', 'reader')
    await setOperator(id, true)
    const token = await t.startSession(id)
    const read = async (account: number, path: string) =>
      (await t.send('GET', `/api/accounts/${account}${path}`, { token })).json()
    expect(await read(t.accountId, '/audit')).toMatchObject({
      error: { code: 'insufficient_role' },
    })
    expect(await read(t.otherAccountId, '/me')).toMatchObject({
      error: { code: 'account_not_found' },
    })
  })

  it.each([
    ['POST', '/invitations', { role: 'owner', grants_operator: true }],
    ['POST', '/invitations', { role: 'owner', is_operator: true }],
    ['PATCH', '/me', { name: 'Ben', is_operator: true }],
  ])('is not made by %s %s of an owner', async (method, path, body) => {
    expect((await t.call('owner', method, path, { body })).code).toBe('unknown_parameter')
  })

  it('is not made by the link of an owner, or by a change of role', async () => {
    const { json } = await t.call('owner', 'POST', '/invitations', { body: { role: 'owner' } })
    const { id } = await t.insertMember('invited@site.example')
    const token = await t.startSession(id)
    const link = String(json.link).split('#')[1] ?? ''
    expect((await t.send('POST', '/welcome/join', { token, form: { link } })).status).toBe(303)
    await t.call('owner', 'PATCH', `/members/${id}`, { body: { role: 'owner' } })
    const path = `/api/accounts/${t.accountId}/me`
    expect(await (await t.send('GET', path, { token })).json()).toMatchObject({
      role: 'owner',
      is_operator: false,
    })
  })
})
