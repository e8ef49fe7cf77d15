import { countSessions, type CountedBatch } from '../../commands/audience/count-sessions.ts'
import type { SessionPlace } from '../../db/audience/sessions-to-count.ts'
import type { Database } from '../../db/database.ts'
import { recordFreeHeartbeats, type Beat } from '../../db/playback/write-heartbeats.ts'
import type { SyntheticSession } from './synthetic-sessions.ts'

/** The most heartbeats of a statement, as in a player process. */
const BATCH_BEATS = 200

/** Counts all sessions that have sent a heartbeat, and hands over each batch; returns how many it counted. */
export async function countAll(
  db: Database,
  limit = 50,
  silentMs = 0,
  onBatch: (batch: CountedBatch) => void = () => undefined,
): Promise<number> {
  let count = 0
  let after: SessionPlace | null = null
  do {
    const batch = await countSessions(db.em.fork(), { after, limit, silentMs })
    onBatch(batch)
    count += batch.sessions
    after = batch.last
  } while (after !== null)
  return count
}

/** Sends the heartbeats of sessions in rounds: the first of each, then the second of each. Calls `between` after each round. */
export async function sendBeats(
  db: Database,
  sessions: readonly SyntheticSession[],
  between: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const rounds = Math.max(...sessions.map(({ reports }) => reports.length))
  for (let round = 0; round < rounds; round += 1) {
    const beats = sessions.flatMap(({ session, userAgent, reports }): Beat[] => {
      const report = reports[round]
      return report ? [{ session, userAgent, report }] : []
    })
    for (let at = 0; at < beats.length; at += BATCH_BEATS) {
      const responses = await recordFreeHeartbeats(db, beats.slice(at, at + BATCH_BEATS))
      if (responses.includes(null)) throw new Error('a heartbeat was refused')
    }
    await between()
  }
}
