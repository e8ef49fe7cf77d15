import { describe, expect, it } from 'vitest'
import { setUpApiFixture } from '../test/fixtures/api.ts'
import { waitFor } from '../test/infrastructure/wait-for.ts'

const t = setUpApiFixture()
const { call } = t

const execute = <T>(sql: string, parameters: unknown[] = []): Promise<T[]> =>
  t.db.em.fork().execute<T[]>(sql, parameters)

/** How many transactions wait for a lock. */
const countWaiting = async (): Promise<number> => {
  const rows = await execute(`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return rows.length
}

describe('requests whose transactions collide', () => {
  it('both succeed when PostgreSQL ends one of them as a deadlock', async () => {
    // Each folder takes two locks, one folder in the other order, and has both only after the other folder has one.
    await execute(`create table meeting (attempt bigserial)`)
    await execute(`create function collide() returns trigger language plpgsql as $$
      declare first bigint := case when new.name = 'one' then 1 else 2 end;
      begin
        perform nextval('meeting_attempt_seq');
        perform pg_advisory_xact_lock(first);
        for turn in 1..500 loop
          exit when exists (select 1 from pg_locks where locktype = 'advisory' and objid::bigint = 3 - first)
            or currval('meeting_attempt_seq') > 2;
          perform pg_sleep(0.01);
        end loop;
        perform pg_advisory_xact_lock(3 - first);
        return new;
      end $$`)
    await execute(
      'create trigger collide before insert on folder for each row execute function collide()',
    )
    const add = ({ key }: { key: string }, name: string) =>
      call('POST', '/v1/folders', { body: { name }, key })
    // Of two accounts, because the folders of one wait for each other before.
    const made = await Promise.all([add(t.ours, 'one'), add(t.theirs, 'two')])
    await execute('drop trigger collide on folder')
    expect(made.map(({ status }) => status)).toEqual([201, 201])
    const [count] = await execute<{ attempts: number }>(
      `select nextval('meeting_attempt_seq')::int - 1 as attempts`,
    )
    // Two attempts that deadlocked, and the repeated one.
    expect(count?.attempts).toBe(3)
    const folders = await execute<{ name: string }>('select name from folder order by name')
    expect(folders.map(({ name }) => name)).toEqual(['one', 'two'])
  })

  it('succeed when the endpoint to which they send an event is deleted at the same time', async () => {
    const body = { url: `${t.outside.baseUrl}/hook`, events: ['caption.ready', 'video.ready'] }
    const endpointId = Number((await call('POST', '/v1/webhook-endpoints', { body })).json.id)
    const videoId = String((await t.create()).json.id)
    const caption = { language_code: 'en', label: 'English', content: 'WEBVTT\n' }
    let posted = Promise.resolve({ status: 0 })
    await t.db.em.fork().transactional(async (tx) => {
      await tx.execute('delete from webhook_endpoint where id = ?', [endpointId])
      posted = call('POST', `/v1/videos/${videoId}/captions`, { body: caption })
      await waitFor('the caption', async () => (await countWaiting()) > 0)
    })
    expect((await posted).status).toBe(201)
  })

  it('find no endpoint when a test or a replay of it meets its deletion', async () => {
    const body = { url: `${t.outside.baseUrl}/hook`, events: ['video.ready'] }
    const endpointId = Number((await call('POST', '/v1/webhook-endpoints', { body })).json.id)
    const replay = { endpoint_id: endpointId, since: new Date(Date.now() - 60_000).toISOString() }
    let sent: Promise<{ status: number }>[] = []
    await t.db.em.fork().transactional(async (tx) => {
      await tx.execute('delete from webhook_endpoint where id = ?', [endpointId])
      sent = [
        call('POST', `/v1/webhook-endpoints/${endpointId}/test`),
        call('POST', '/v1/webhook-replays', { body: replay }),
      ]
      await waitFor('both', async () => (await countWaiting()) > 1)
    })
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([404, 404])
  })
})
