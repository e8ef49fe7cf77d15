import { sql } from 'kysely'
import {
  isViewerTokenEnforced,
  type PlayerSettings,
} from '../../domain/settings/player-settings.ts'
import { DASHBOARD_VIEWER_PREFIX } from '../../domain/settings/preview-look.ts'
import type { EntityManager } from '../database.ts'
import { keptSince, queries } from '../queries.ts'
import { isOfPresentEndpoint } from '../webhooks/webhook-deliveries.ts'

/** What an account has done of the first steps. */
export interface FirstSteps {
  /** A video that did not fail. */
  videoAdded: boolean
  videoReady: boolean
  /** A video played on a page that is not the dashboard. */
  playedElsewhere: boolean
  /** Viewer tokens are required, or the pages that may embed are limited. */
  accessRestricted: boolean
  webhookDelivered: boolean
  colleagueInvited: boolean
}

/** How many of the newest sessions and deliveries are searched, so that the cost has a limit. */
const SEARCHED_ROWS = 1000

/** Reads the first steps of an account from what is there, in one statement. */
export async function readFirstSteps(em: EntityManager, accountId: number): Promise<FirstSteps> {
  const row = await queries(em)
    .selectFrom('account as a')
    .select('a.settings')
    .select([
      sql<boolean>`exists (select from video v where v.account_id = a.id and v.deleted_at is null
        and v.status <> 'failed')`.as('videoAdded'),
      sql<boolean>`exists (select from video v where v.account_id = a.id and v.deleted_at is null
        and v.status = 'ready')`.as('videoReady'),
      // The dashboard plays with viewer ids of its own.
      sql<boolean>`exists (select from (select s.referer_host, s.viewer_id from playback_record s
        where s.account_id = a.id and s.started_at >= ${keptSince('playback_record')} order by s.started_at desc limit ${SEARCHED_ROWS}) s
        where s.referer_host is not null and coalesce(s.viewer_id, '') not like ${`${DASHBOARD_VIEWER_PREFIX}%`})`.as(
        'playedElsewhere',
      ),
      sql<boolean>`exists (select from (select d.status, d.event_type from webhook_delivery d
        where d.account_id = a.id and ${isOfPresentEndpoint(accountId)} order by d.id desc limit ${SEARCHED_ROWS}) d
        where d.status = 'delivered')`.as('webhookDelivered'),
      sql<boolean>`(select count(*) from membership m where m.account_id = a.id) > 1 or exists
        (select from invitation i where i.account_id = a.id and not i.is_from_operator)`.as(
        'colleagueInvited',
      ),
    ])
    .where('a.id', '=', accountId)
    .executeTakeFirstOrThrow()
  const { settings, ...steps } = row
  return { ...steps, accessRestricted: isAccessRestricted(settings) }
}

const isAccessRestricted = (settings: PlayerSettings): boolean =>
  isViewerTokenEnforced(settings) ||
  settings.allowed_domains.length > 0 ||
  settings.blocked_domains.length > 0

export interface FailedVideo {
  id: string
  title: string
  errorCode: string | null
  /** When it failed. */
  updatedAt: Date
}

/** The videos that were added in the last `days` and failed: how many, and the newest `limit` of them. */
export async function readFailedVideos(
  em: EntityManager,
  accountId: number,
  { days, limit }: { days: number; limit: number },
): Promise<{ count: number; videos: FailedVideo[] }> {
  // By the time of the creation, which the index of the search has: only the rows that are shown are read.
  const failed = queries(em)
    .selectFrom('video')
    .select(['id', sql<number>`(count(*) over ())::int`.as('count')])
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .where('status', '=', 'failed')
    .where('createdAt', '>', sql<Date>`now() - ${days}::int * interval '1 day'`)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  const rows = await queries(em)
    .selectFrom(failed.as('f'))
    .innerJoin('video as v', 'v.id', 'f.id')
    .select(['v.id', 'v.title', 'v.errorCode', 'v.updatedAt', 'f.count'])
    .orderBy('v.createdAt', 'desc')
    .orderBy('v.id', 'desc')
    .execute()
  const videos = rows.map(({ id, title, errorCode, updatedAt }) => ({
    id,
    title,
    errorCode,
    updatedAt,
  }))
  return { count: rows[0]?.count ?? 0, videos }
}

/** How many security events the account has of the last `hours`. */
export async function countRecentSecurityEvents(
  em: EntityManager,
  accountId: number,
  hours: number,
): Promise<number> {
  const { count } = await queries(em)
    .selectFrom('security_event')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('accountId', '=', accountId)
    .where('createdAt', '>', sql<Date>`now() - ${hours}::int * interval '1 hour'`)
    .where('createdAt', '>=', keptSince('security_event'))
    .executeTakeFirstOrThrow()
  return count
}
