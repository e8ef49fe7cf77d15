import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Operation } from '../../api/operation.ts'
import { SAMPLES } from '../../api/openapi/sample-calls.ts'
import { setUpDashboardFixture } from '../../test/fixtures/dashboard.ts'
import { createObjects } from '../../test/fixtures/foreign-objects.ts'
import type { Objects } from '../../test/fixtures/foreign-objects.ts'
import { MOUNTED_OPERATIONS } from './operations.ts'

const t = setUpDashboardFixture()
let ours: Objects
let theirs: Objects

beforeAll(async () => {
  ours = await createObjects(t, 'owner')
  theirs = await createObjects(t, 'stranger')
  for (const id of [...Object.values(ours), ...Object.values(theirs)]) expect(id).not.toBeNaN()
})

/** Bodies of operations with ids in their path that need one and have no sample call. */
const BODIES: Record<string, object> = {
  changeMemberRole: { role: 'reader' },
  choosePoster: { picture: 'automatic' },
  saveChapters: { chapters: [], deleted_ids: [] },
  saveMoments: { moments: [], deleted_ids: [] },
  renamePasskey: { name: 'Phone' },
}

/** The path of an operation; each of its ids is that of the object in `objects` at the same place. */
function pathOf({ path, params }: Operation, objects: Objects[]): string {
  let filled: string = path
  for (const [index, [name, { notFound }]] of Object.entries(params).entries()) {
    const id = (objects[index] ?? objects.at(-1))?.[notFound]
    if (id === undefined) throw new Error(`add an object for ${notFound} to foreign-objects.ts`)
    filled = filled.replace(`{${name}}`, String(id))
  }
  return filled
}

const takesBody = ({ method }: Operation): boolean => method === 'post' || method === 'patch'

/** A call that is refused before it changes anything: its body is no object, or its ids are foreign. */
const harmless = (operation: Operation) => ({
  path: pathOf(operation, [theirs]),
  ...(takesBody(operation) ? { body: [] } : {}),
})

describe('a request that another site causes', () => {
  it.each(MOUNTED_OPERATIONS)('is refused: $id', async (one) => {
    const { path, ...options } = harmless(one)
    const headers = { 'Sec-Fetch-Site': 'same-site' }
    const answer = await t.call('owner', one.method.toUpperCase(), path, { ...options, headers })
    expect(answer).toMatchObject({ status: 403, code: 'cross_site_request' })
  })
})

describe('an id of another account', () => {
  const withIds = MOUNTED_OPERATIONS.filter(({ params }) => Object.keys(params).length > 0)

  it.each(withIds)('is not found: $id', async (operation) => {
    const before = await fingerprint()
    const body = takesBody(operation) ? { body: bodyOf(operation) } : {}
    const codes = Object.values(operation.params).map(({ notFound }) => notFound)
    // All ids foreign; and the last one alone, below an object of the own account.
    for (const objects of [[theirs], [ours, theirs]].slice(0, codes.length)) {
      const path = pathOf(operation, objects)
      const answer = await t.call('owner', operation.method.toUpperCase(), path, body)
      // A caption has no id of its own: its language names it within a video.
      if (path.includes(String(ours.video_not_found)) && codes.includes('caption_not_found'))
        continue
      expect(answer.status).toBe(404)
      expect(codes).toContain(answer.code)
    }
    expect(await fingerprint()).toEqual(before)
  })
})

function bodyOf({ id, body }: Operation): object {
  const known = BODIES[id] ?? SAMPLES[id]?.body
  if (known) return known
  if (!body || body.safeParse({}).success) return {}
  throw new Error(`add a body of ${id} to BODIES`)
}

const TABLES = [
  'video',
  'folder',
  'webhook_endpoint',
  'webhook_delivery',
  'webhook_replay',
  'event',
  'api_key',
  'invitation',
  'membership',
]

/** A digest of what the other account has. */
async function fingerprint(): Promise<string[]> {
  const parts = TABLES.map((table) => digestOf(table))
  return Promise.all(parts)
}

async function digestOf(table: string): Promise<string> {
  const [row] = await t.execute<{ digest: string }>(
    `select md5(coalesce(string_agg(r::text, ',' order by r::text), '')) as digest
     from ${table} r where account_id = ?`,
    [t.otherAccountId],
  )
  return `${table} ${row?.digest}`
}
