import type { EntityManager } from './database.ts'

/** How often a worker says that it runs. */
const BEAT_EVERY_MS = 5_000
/** A worker that was not heard of for so long does not run, or cannot reach the database. */
const ALIVE_MS = 4 * BEAT_EVERY_MS
/** Rows of workers that were killed go after a day. */
const KEPT = '1 day'

/** Says that a worker runs and which queues it serves; removes those that have long been silent. */
async function recordBeat(
  em: EntityManager,
  worker: string,
  queues: readonly string[],
): Promise<void> {
  await em.execute(
    `with old as (delete from worker_beat where seen_at < now() - ?::interval)
     insert into worker_beat (worker, queues) values (?, string_to_array(?, ','))
     on conflict (worker) do update set queues = excluded.queues, seen_at = now()`,
    [KEPT, worker, queues.join(',')],
  )
}

/** A worker that stops is not waited for. */
async function removeBeat(em: EntityManager, worker: string): Promise<void> {
  await em.execute('delete from worker_beat where worker = ?', [worker])
}

/** The workers that run, by name, with the queues that each serves. */
export const findLiveWorkers = (
  em: EntityManager,
): Promise<{ worker: string; queues: string[] }[]> =>
  em.execute(
    `select worker, queues from worker_beat
     where seen_at > now() - ?::int * interval '1 millisecond' order by worker`,
    [ALIVE_MS],
  )

/** Says so every few seconds, for as long as it is not stopped; a database that is away hears it later. */
export function startBeating(
  openEm: () => EntityManager,
  worker: string,
  queues: readonly string[],
): { stop(): Promise<void> } {
  const beat = () => recordBeat(openEm(), worker, queues).catch(() => {})
  let last = beat()
  const timer = setInterval(() => void (last = beat()), BEAT_EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await last
      await removeBeat(openEm(), worker).catch(() => {})
    },
  }
}
