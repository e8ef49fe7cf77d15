import { encodeFailureCode } from '../../../domain/playback-reports/failure-code.ts'
import type { Drill, Situation } from './drill.ts'

/** Situations of viewers, by their titles in the runbook. */
export const VIEWER_SITUATIONS: Record<string, Situation> = {
  async 'More plays fail than usual'(drill) {
    await insertSessions(drill, { error: `'network'`, watched_ms: '0' })
    await drill.alerts.fire('ReelgatePlaysFail')
    await insertReport(drill)
    const output = await drill.follow('More plays fail than usual', { CODE })
    if (!/network \| *502/.test(output)) throw new Error(`the causes:\n${output}`)
  },

  async 'Plays stall or begin late'(drill) {
    const slow = { stalls: '3', stalled_ms: '20000', first_frame_ms: '20000' }
    await insertSessions(drill, { watched_ms: '60000', ...slow })
    await drill.alerts.fire('ReelgatePlaysStall', 'ReelgatePlaysStartSlowly')
    await drill.follow('Plays stall or begin late')
  },
}

/** As viewers read it out. */
const CODE = encodeFailureCode({ cause: 'network', atMs: Date.now() }, 1)
const SESSIONS = 150

const psql = ({ installation }: Drill, statement: string): Promise<string> =>
  installation.shell(
    `docker compose exec -T postgres psql -U postgres -d reelgate -c "${statement}"`,
  )

/** Inserts sessions of a video that have ended; the Schedule counts them within a minute. */
const insertSessions = (drill: Drill, measures: Record<string, string>): Promise<string> =>
  psql(
    drill,
    `insert into playback_record (id, account_id, video_id, signing_secret_version, started_at, last_seen_at, ${Object.keys(measures).join(', ')})
     select gen_random_uuid(), v.account_id, v.id, 1, now() - interval '9 minutes', now() - interval '5 minutes', ${Object.values(measures).join(', ')}
     from (select id, account_id from video order by created_at desc limit 1) v, generate_series(1, ${SESSIONS})`,
  )

const insertReport = (drill: Drill): Promise<string> =>
  psql(
    drill,
    `insert into playback_report (code, account_id, cause, video_id, details)
     select '${CODE}', account_id, 'network', id, jsonb_build_object('http_status', 502) from video order by created_at desc limit 1`,
  )
