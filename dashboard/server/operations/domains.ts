import { z } from 'zod'
import { findAccount } from '../../../db/accounts/accounts.ts'
import type { EntityManager } from '../../../db/database.ts'
import { listRecentHosts } from '../../../db/playback/recent-plays.ts'
import { normaliseHost } from '../../../domain/host-name.ts'
import { DOMAINS_BODY_MAX_BYTES, RECENT_HOSTS_MAX } from '../../../domain/limits.ts'
import { refusalsByDomain } from '../../../domain/playback/embed-access.ts'
import { withChange, type SettingsChange } from '../../../domain/settings/player-settings.ts'
import { ApiError, orNotFound } from '../../../http/api-error.ts'
import { operationFor } from '../../../http/operation.ts'
import { text } from '../../../http/text.ts'
import {
  domainTestSchema,
  domainTestView,
  recentHostTestSchema,
  recentHostTestView,
} from '../../../views/playback/domain-test.ts'
import { settingsChangeSchema } from '../../../views/player-settings.ts'
import { dashboardHostOf, type DashboardDeps } from '../deps.ts'

const tag = 'Settings'
const scope = 'settings:read'

const unsavedSettings = settingsChangeSchema
  .pick({ allowed_domains: true, blocked_domains: true, direct_play: true })
  .default({})
  .meta({ description: 'Replaces saved settings for the test.' })

interface Rules {
  deps: DashboardDeps
  accountId: number
  unsaved: SettingsChange
}

/** Returns a function that decides about a host as the player does: the reason of a refusal, or null. */
async function refusalsBy(em: EntityManager, { deps, accountId, unsaved }: Rules) {
  const account = orNotFound(await findAccount(em, accountId), 'account_not_found')
  const settings = withChange(account.settings, unsaved)
  const { serviceDomains } = deps
  const directPlayHost = normaliseHost(deps.directPlayBase ?? '')
  const findRefusal = refusalsByDomain(settings, { serviceDomains, directPlayHost })
  return (host: string) => findRefusal(host)?.reason ?? null
}

const HOST_MAX_LENGTH = 2000

const testDomain = operationFor<DashboardDeps>()({
  id: 'testDomain',
  method: 'post',
  path: '/domain-test',
  tag,
  summary: 'Test whether a page may embed the videos',
  description: 'Decides as the player does, by the saved settings or by the given ones.',
  scope,
  body: z.strictObject({
    host: text({
      maxLength: HOST_MAX_LENGTH,
      description: 'The host or the address of the page that would embed a video.',
      example: 'https://www.example.com/lesson',
    }),
    settings: unsavedSettings,
  }),
  bodyMaxBytes: DOMAINS_BODY_MAX_BYTES,
  status: 200,
  response: domainTestSchema,
  audit: null,
  errors: ['account_not_found'],
  async handle({ deps, accountId, body }) {
    const host = normaliseHost(body.host)
    if (host === null)
      throw new ApiError('invalid_parameter', {
        param: 'host',
        message: '`host` must be a host name or a web address.',
      })
    const rules = { deps, accountId, unsaved: body.settings }
    const findRefusal = await refusalsBy(deps.db.em.fork(), rules)
    return domainTestView(host, findRefusal(host))
  },
})

const testRecentHosts = operationFor<DashboardDeps>()({
  id: 'testRecentHosts',
  method: 'post',
  path: '/domain-test/recent-hosts',
  tag,
  summary: 'Test which hosts of the last day would be refused',
  description: 'For a warning before new domain rules are saved.',
  scope,
  body: z.strictObject({ settings: unsavedSettings }),
  bodyMaxBytes: DOMAINS_BODY_MAX_BYTES,
  status: 200,
  response: recentHostTestSchema,
  audit: null,
  errors: ['account_not_found'],
  async handle({ deps, accountId, body }) {
    const em = deps.db.em.fork()
    const findRefusal = await refusalsBy(em, { deps, accountId, unsaved: body.settings })
    const most = { dashboardHost: dashboardHostOf(deps), limit: RECENT_HOSTS_MAX }
    const hosts = await listRecentHosts(em, accountId, most)
    const refused = hosts.flatMap((one) => {
      const reason = findRefusal(one.host)
      return reason === null ? [] : [{ ...one, reason }]
    })
    return recentHostTestView(hosts.length, refused)
  },
})

export const domainOperations = [testDomain, testRecentHosts]
