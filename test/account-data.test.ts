import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withDeps } from '../activities/deps.ts'
import { removeAccount } from '../activities/upkeep/remove-account.ts'
import { createKey } from '../commands/accounts/api-keys.ts'
import { deleteAccount } from '../commands/accounts/delete-account.ts'
import { rotateSigningSecret } from '../commands/accounts/signing-secret.ts'
import { createInvitation } from '../commands/members/invitations.ts'
import { cancelUpload, recordDiscarded } from '../commands/uploads/end-upload.ts'
import { configSchema } from '../config/schema.ts'
import { ownedBy } from '../db/accounts/account-table.ts'
import { ACCOUNT_TABLES } from '../db/accounts/account-tables.ts'
import { deleteRowsOf } from '../db/accounts/write-account-deletion.ts'
import { claimDueRequests } from '../db/outbox/write-workflow-requests.ts'
import { findPlayback } from '../db/playback/playback.ts'
import { findEndedUploads } from '../db/uploads/uploads.ts'
import { accountDeletionWorkflowId } from '../domain/workflow-ids.ts'
import { createEgress } from '../egress/egress.ts'
import { executeRequest } from '../outbox/execute-request.ts'
import { projectDir } from '../scripts/bootstrap/tools.mjs'
import { DEFAULT_NAMESPACES } from '../scripts/temporal-namespace.ts'
import { createStorage } from '../storage/object-storage.ts'
import { openClient } from '../temporal/connect.ts'
import { fillAccount, SECRET_WORD, type FilledAccount } from './fixtures/account-data.ts'
import { cliHarness, type Cli } from './fixtures/cli.ts'
import { openWebhookFixture, type WebhookFixture } from './fixtures/webhooks.ts'
import {
  runWebhookWorker,
  startOwnTemporal,
  targetsOf,
  type OwnTemporal,
} from './infrastructure/own-temporal.ts'
import { waitFor } from './infrastructure/wait-for.ts'

let fixture: WebhookFixture
let temporal: OwnTemporal
let folder: string
let reelgate: Cli
let colleagueId: number

beforeAll(async () => {
  ;[fixture, temporal] = await Promise.all([openWebhookFixture(), startOwnTemporal()])
  folder = await mkdtemp(join(tmpdir(), 'reelgate-account-'))
  reelgate = cliHarness({ DATABASE_URL: fixture.databaseUrl, STORAGE_DIR: join(folder, 'storage') })
  const [colleague] = await fixture.execute<{ id: number }>(
    `insert into member (email) values ('colleague@site.example') returning id`,
  )
  colleagueId = colleague?.id ?? 0
})

afterAll(async () => {
  await Promise.all([fixture.close(), temporal.close()])
  await rm(folder, { recursive: true, force: true })
})

const fill = (name: string): Promise<FilledAccount> => fillAccount(fixture, name, colleagueId)
const exportTo = (id: number, name: string, ...options: string[]) =>
  reelgate('accounts', 'export', String(id), join(folder, name), '--json', ...options)
const remove = ({ id, name }: FilledAccount) =>
  reelgate('accounts', 'delete', String(id), '--confirm', name, '--json')
const errorCode = (stderr: string) => (JSON.parse(stderr) as { error: { code: string } }).error.code

const columnsOfDatabase = () =>
  fixture.execute<{ table: string; columns: string[] }>(
    `select c.relname as table, array_agg(a.attname::text order by a.attname) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and a.attnum > 0
       and not a.attisdropped group by c.relname order by c.relname`,
  )

/** The number of rows of an account in each table; members count as long as one belongs to it. */
async function countRows({ id, videoId, memberEmail }: FilledAccount) {
  const counts: Record<string, number> = {}
  const memberId = `(select m.id from member m where m.email = '${memberEmail}')`
  const condition = (table: (typeof ACCOUNT_TABLES)[number]): string => {
    if (table.owner === 'video_id') return `t.video_id = '${videoId}'`
    if (table.owner !== 'member') return ownedBy(table).replace('?', String(id))
    return table.name === 'member' ? `t.id = ${memberId}` : `t.member_id = ${memberId}`
  }
  for (const table of ACCOUNT_TABLES) {
    const [row] = await fixture.execute<{ count: number }>(
      `select count(*)::int as count from ${table.name} t where ${condition(table)}`,
    )
    counts[table.name] = row?.count ?? -1
  }
  return counts
}

/** Waits until as many statements wait for a lock of another transaction. */
const waitForLocks = (count: number): Promise<true> =>
  waitFor('the locks of the statements', async () => {
    const waiting = await fixture.execute(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return waiting.length === count || undefined
  })

/** The tables that still have rows of the account. */
const tablesLeft = async (account: FilledAccount): Promise<string[]> =>
  Object.entries(await countRows(account))
    .filter(([, count]) => count > 0)
    .map(([table]) => table)

describe('the tables with data of accounts', () => {
  it('are all tables that refer to an account, a video, a member or a row of these', async () => {
    const related = await fixture.execute<{ name: string }>(
      `with recursive related (oid) as (
         select 'account'::regclass::oid union select 'member'::regclass::oid
         union select f.conrelid from pg_constraint f join related r on f.confrelid = r.oid
           where f.contype = 'f')
       select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
         and c.relkind in ('r', 'p') and not c.relispartition and (c.oid in (select oid from related) or exists (
           select from pg_attribute a where a.attrelid = c.oid
             and a.attname in ('account_id', 'video_id', 'member_id', 'viewer_id', 'delivery_id')))
       order by 1`,
    )
    expect(ACCOUNT_TABLES.map(({ name }) => name).toSorted()).toEqual(
      related.map(({ name }) => name),
    )
  })

  it('are exported or withheld column by column', async () => {
    const columns = new Map((await columnsOfDatabase()).map((row) => [row.table, row.columns]))
    for (const { name, exported, withheld } of ACCOUNT_TABLES)
      expect({ name, columns: [...exported, ...withheld].toSorted() }).toEqual({
        name,
        columns: columns.get(name)?.toSorted(),
      })
  })
})

describe('rows of two partitions at the same place', () => {
  it('are told apart: the deletion of an account leaves those of others', async () => {
    const [account, other] = [await fill('Clara'), await fill('Dora')]
    const [last] = await fixture.execute<{ id: string }>(
      `select max(substring(c.relname from '_p(.*)')::bigint)::text as id
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'security_event'::regclass`,
    )
    // The second one is in the default partition.
    const ids = [last?.id, Number.MAX_SAFE_INTEGER]
    for (const [index, { id }] of [account, other].entries())
      await fixture.execute(
        `insert into security_event (id, account_id, event_type, severity, details)
         values (${ids[index]}, ${id}, 'x', 'low', '{}')`,
      )
    const places = await fixture.execute<{ account_id: number; ctid: string }>(
      `select account_id, ctid::text from security_event where event_type = 'x'`,
    )
    expect(new Set(places.map(({ ctid }) => ctid)).size).toBe(1)
    const [table] = ACCOUNT_TABLES.filter(({ name }) => name === 'security_event')
    if (!table) throw new Error('the table is not listed')
    await deleteRowsOf(fixture.em(), account.id, table, 100)
    const left = await fixture.execute(
      `select account_id from security_event where event_type = 'x'`,
    )
    expect(left).toEqual([{ account_id: other.id }])
    await fixture.execute(`delete from security_event where event_type = 'x'`)
  })
})

describe('docs/retention.md', () => {
  const readTables = async (): Promise<string[]> => {
    const text = await readFile(join(projectDir, 'docs/retention.md'), 'utf8')
    const [, section = ''] = /^## Tables\n(.*?)^## /ms.exec(text) ?? []
    return section.split('\n').filter((line) => line.startsWith('| `'))
  }

  it('says of every table how long its rows are kept', async () => {
    const named = (await readTables()).flatMap((line) =>
      [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    )
    const tables = (await columnsOfDatabase()).map(({ table }) => table)
    expect(named.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      tables.toSorted((a, b) => (a < b ? -1 : 1)),
    )
  })

  it('names every setting of the retention, with its default', async () => {
    const defaults = Object.entries(configSchema.parse({})).filter(([name]) =>
      name.endsWith('_KEPT_DAYS'),
    )
    expect(defaults.length).toBeGreaterThan(0)
    const lines = await readTables()
    for (const [name, days] of defaults) {
      const [line = ''] = lines.filter((one) => one.includes(`\`${name}\``))
      expect(line).toContain(`${Number(days).toLocaleString('en')} days`)
    }
  })
})

describe('accounts export', () => {
  it('writes every row of the account and none of others, without a secret', async () => {
    const [account, other] = [await fill('Anna'), await fill('Ben')]
    const run = await exportTo(account.id, 'anna')
    expect(run).toMatchObject({ status: 0, stderr: '' })
    const counts = await countRows(account)
    const dir = join(folder, 'anna')
    const exported = ACCOUNT_TABLES.filter((table) => table.exported.length > 0)
    for (const { name, exported: columns } of exported) {
      const text = await readFile(join(dir, `${name}.jsonl`), 'utf8')
      const rows = text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as object)
      // The colleague belongs to the account too.
      const count = (counts[name] ?? 0) + (name === 'member' ? 1 : 0)
      expect({ name, count: rows.length }).toEqual({ name, count })
      expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual([...columns].toSorted())
      expect(text).not.toContain(other.videoId)
      expect(text).not.toContain(SECRET_WORD)
      expect((await stat(join(dir, `${name}.jsonl`))).mode & 0o777).toBe(0o600)
    }
    const files = [...exported.map(({ name }) => `${name}.jsonl`), 'export.json']
    expect((await readdir(dir)).toSorted()).toEqual(files.toSorted())
    expect(JSON.parse(await readFile(join(dir, 'export.json'), 'utf8'))).toEqual(run.json())
  })

  it('lists the objects of its videos if it is asked to', async () => {
    const account = await fill('Anna')
    const storage = createStorage({ driver: 'folder', dir: join(folder, 'storage') })
    const key = `videos/${account.videoId}/240p/init.mp4`
    await storage.putBuffer(key, Buffer.from('12345'), 'video/mp4')
    await storage.putBuffer('videos/other/x', Buffer.from('1'), 'video/mp4')
    const run = await exportTo(account.id, 'objects', '--objects')
    expect(run.json()).toMatchObject({ objects: 1 })
    const text = await readFile(join(folder, 'objects', 'objects.jsonl'), 'utf8')
    expect(JSON.parse(text)).toEqual({ key, size_bytes: 5 })
  })

  it('changes no file of a folder that is in use', async () => {
    await writeFile(join(folder, 'precious'), 'x')
    const account = await fill('Anna')
    const run = await exportTo(account.id, '.')
    expect([run.status, errorCode(run.stderr)]).toEqual([1, 'export_folder_not_empty'])
    expect(await readFile(join(folder, 'precious'), 'utf8')).toBe('x')
  })
})

describe('accounts delete', () => {
  const removeRows = (accountId: number, client = temporal.client) =>
    new MockActivityEnvironment().run(
      withDeps(
        { db: fixture.db, client, deliveriesNamespace: DEFAULT_NAMESPACES.deliveries },
        removeAccount,
      ),
      {
        accountId,
      },
    )
  const markVideosRemoved = async (accountId: number) => {
    await fixture.execute('update video set removed_at = now() where account_id = ?', [accountId])
    for (const upload of await findEndedUploads(fixture.em(), 10))
      await recordDiscarded(fixture.em(), upload)
  }

  it('asks for the name of the account, and for the end of its plan', async () => {
    const account = await fill('Anna')
    const wrong = await reelgate(
      'accounts',
      'delete',
      String(account.id),
      '--confirm',
      'Ben',
      '--json',
    )
    expect([wrong.status, errorCode(wrong.stderr)]).toEqual([2, 'invalid_parameter'])
    await fixture.execute('update plan set is_active = true where account_id = ?', [account.id])
    const inForce = await remove(account)
    expect([inForce.status, errorCode(inForce.stderr)]).toEqual([1, 'account_in_force'])
    expect((await countRows(account)).api_key).toBe(1)
  })

  it('ends at once what keys, members, viewers and endpoints of the account can do', async () => {
    const account = await fill('Anna')
    const run = await remove(account)
    expect(run).toMatchObject({ status: 0, stderr: '' })
    expect(run.json()).toMatchObject({ id: account.id, deleted: true, videos_to_remove: 1 })
    const left = await tablesLeft(account)
    const gone = [
      'api_key',
      'member',
      'membership',
      'passkey',
      'dashboard_session',
      'invitation',
      'saved_view',
    ]
    for (const table of [...gone, 'content_key', 'source_key', 'caption'])
      expect(left).not.toContain(table)
    const [state] = await fixture.execute(
      `select a.signing_secret_version as version, e.is_active, d.status, r.state
       from account a join webhook_endpoint e on e.account_id = a.id
         join webhook_delivery d on d.account_id = a.id join webhook_replay r on r.account_id = a.id
       where a.id = ?`,
      [account.id],
    )
    expect(state).toEqual({ version: 2, is_active: false, status: 'failed', state: 'cancelled' })
    const listed = (await reelgate('accounts', 'list', '--json')).json<{ id: number }[]>()
    expect(listed.map(({ id }) => id)).not.toContain(account.id)
  })

  it('refuses new keys, secrets, plans and invitations', async () => {
    const account = await fill('Anna')
    const id = String(account.id)
    await remove(account)
    for (const verb of [
      ['keys', 'create', '--account', id, '--scopes', 'all'],
      ['plan', 'set', '--account', id, '--active', 'true'],
      ['members', 'invite', '--account', id, '--role', 'owner'],
    ]) {
      const run = await reelgate(...verb, '--json')
      expect([verb[0], run.status, errorCode(run.stderr)]).toEqual([
        verb[0],
        1,
        'account_not_found',
      ])
    }
    expect(await rotateSigningSecret(fixture.em(), fixture.masterKeys, account.id)).toBeNull()
    expect(await tablesLeft(account)).not.toContain('api_key')
  })

  it('refuses a key and an invitation whose request waited for the deletion to begin', async () => {
    const account = await fill('Anna')
    const accountId = account.id
    const by = { kind: 'operator', id: null, name: 'test' } as const
    const late: Promise<unknown>[] = []
    await fixture.em().transactional(async (tx) => {
      await deleteAccount(tx, accountId)
      const invitation = { accountId, role: 'owner', email: null, by } as const
      late.push(
        createKey(fixture.em(), { accountId, scopes: ['videos:read'] }),
        fixture.em().transactional((other) => createInvitation(other, invitation)),
      )
      for (const one of late) one.catch(() => {})
      await waitForLocks(late.length)
    })
    for (const one of late) await expect(one).rejects.toMatchObject({ code: 'account_not_found' })
  })

  it('succeeds while an upload of the account ends', async () => {
    const { id: accountId } = await fill('Anna')
    const [upload] = await fixture.execute<{ id: number }>(
      'select id from upload where account_id = ? and ended_at is null',
      [accountId],
    )
    let deletion = Promise.resolve(0)
    await fixture.em().transactional(async (tx) => {
      await cancelUpload(tx, accountId, upload?.id ?? 0)
      deletion = fixture.em().transactional((other) => deleteAccount(other, accountId))
      deletion.catch(() => {})
      await waitForLocks(1)
    })
    expect(await deletion).toBe(1)
  })

  it('records in the audit log of the installation who deleted it', async () => {
    const account = await fill('Anna')
    await remove(account)
    expect(
      await fixture.execute(
        `select account_id, actor_kind, before from audit_entry where action = 'account.delete' and subject = ?`,
        [String(account.id)],
      ),
    ).toEqual([{ account_id: null, actor_kind: 'operator', before: { name: 'Anna', videos: 1 } }])
  })

  it('keeps the rows until the objects of its videos are removed, also of one that was added late', async () => {
    const account = await fill('Anna')
    await remove(account)
    // Its video and its upload.
    expect(await removeRows(account.id)).toEqual({ waitingVideos: 2 })
    await markVideosRemoved(account.id)
    await fixture.execute(
      `insert into video (id, account_id, title, source_url, protection)
       values (?, ?, 'late', 'https://x/', 'clearkey')`,
      [account.videoId.replace(/./, (first) => (first === '0' ? '1' : '0')), account.id],
    )
    expect(await removeRows(account.id)).toEqual({ waitingVideos: 1 })
    expect(
      await fixture.execute('select 1 from video where account_id = ? and deleted_at is null', [
        account.id,
      ]),
    ).toEqual([])
  })

  it('deletes many videos in several transactions; none of them can be played from the first one on', async () => {
    const account = await fill('Anna')
    await fixture.execute(
      `insert into video (id, account_id, title, source_url, protection, status)
       select 'e' || lpad(to_hex(n), 19, '0'), ${account.id}, 'one', 'https://x/', 'clearkey', 'ready'
       from generate_series(1, 700) n`,
    )
    const countNotDeleted = async () =>
      (
        await fixture.execute('select 1 from video where account_id = ? and deleted_at is null', [
          account.id,
        ])
      ).length
    await remove(account)
    expect(await countNotDeleted()).toBe(201)
    const [left] = await fixture.execute<{ id: string }>(
      'select id from video where account_id = ? and deleted_at is null',
      [account.id],
    )
    expect(await findPlayback(fixture.db, left?.id ?? '', account.id, null)).toBeNull()
    expect(await removeRows(account.id)).toEqual({ waitingVideos: 702 })
    expect(await countNotDeleted()).toBe(0)
  })

  it('removes every row of the account and none of others, continuing after a run that was ended', async () => {
    const [account, other] = [await fill('Anna'), await fill('Ben')]
    const before = await countRows(other)
    await remove(account)
    await markVideosRemoved(account.id)
    await fixture.execute(
      `update webhook_delivery set status = 'pending', completed_at = null where account_id = ?`,
      [account.id],
    )
    const broken = openClient({ address: temporal.address, namespace: 'default' })
    await broken.connection.close()
    await expect(removeRows(account.id, broken)).rejects.toThrow()
    expect((await remove(account)).status).toBe(0)
    const stop = await runWebhookWorker(temporal, fixture, createEgress())
    const requests = await claimDueRequests(fixture.em(), 1_000, 60_000)
    for (const request of requests)
      if (request.command === 'delete-account' && request.subjectId === String(account.id))
        await executeRequest(targetsOf(temporal.client), request)
    await temporal.client.workflow.getHandle(accountDeletionWorkflowId(account.id)).result()
    await stop()
    // The relay removes workflow requests.
    expect(await tablesLeft(account)).toEqual(['outbox'])
    expect(await countRows(other)).toEqual(before)
    expect(await fixture.execute('select 1 from member where id = ?', [colleagueId])).toHaveLength(
      1,
    )
    expect(await removeRows(account.id)).toEqual({ waitingVideos: 0 })
    const again = await remove(account)
    expect([again.status, errorCode(again.stderr)]).toEqual([1, 'account_not_found'])
  })
})
