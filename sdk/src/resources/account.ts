import { toInit, unwrap, type CallOptions, type Http } from '../http.ts'
import { everyItem, PAGE_LIMIT_MAX } from '../pagination.ts'
import type {
  Account,
  Filters,
  Plan,
  PlayerSettings,
  Query,
  SecurityEvent,
  SecurityEventList,
  Usage,
} from '../types.ts'

/** GET /v1/account. */
export const accountOf = (http: Http) => ({
  get: (options: CallOptions = {}): Promise<Account> =>
    unwrap<'getAccount'>(http.GET('/v1/account', toInit(options))),
})

/** GET /v1/plan. */
export const planOf = (http: Http) => ({
  get: (options: CallOptions = {}): Promise<Plan> =>
    unwrap<'getPlan'>(http.GET('/v1/plan', toInit(options))),
})

/** GET /v1/usage. */
export const usageOf = (http: Http) => ({
  /** Returns storage, bandwidth, encoded minutes and the danger zone for a range of days in UTC. */
  get: (query: Query<'getUsage'> = {}, options: CallOptions = {}): Promise<Usage> =>
    unwrap<'getUsage'>(http.GET('/v1/usage', { params: { query }, ...toInit(options) })),
})

/** GET /v1/settings/player. */
export const settingsOf = (http: Http) => ({
  /**
   * Returns the player, subtitle, watermark and protection settings, which only the operator
   * changes.
   */
  getPlayer: (options: CallOptions = {}): Promise<PlayerSettings> =>
    unwrap<'getPlayerSettings'>(http.GET('/v1/settings/player', toInit(options))),
})

/** GET /v1/security-events. */
export function securityEventsOf(http: Http) {
  const events = {
    /** One page, newest first. */
    list: (
      query: Query<'listSecurityEvents'> = {},
      options: CallOptions = {},
    ): Promise<SecurityEventList> =>
      unwrap<'listSecurityEvents'>(
        http.GET('/v1/security-events', { params: { query }, ...toInit(options) }),
      ),

    /** Every event, newest first, page by page. */
    listAll: (
      query: Filters<'listSecurityEvents'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<SecurityEvent, void, undefined> =>
      everyItem<SecurityEvent>((cursor) =>
        events.list({ limit: PAGE_LIMIT_MAX, ...query, ...cursor }, options),
      ),
  }
  return events
}
