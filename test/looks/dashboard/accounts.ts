import { createAccount } from '../../../commands/accounts/create-account.ts'
import { putMembership } from '../../../db/members/write-members.ts'
import { cookieName, type DashboardFixture } from '../../fixtures/dashboard.ts'
import { DAY, minutesBefore, type FilledAccount } from './rows/filled-account.ts'
import { insertAudit, insertColleagues, insertKeys } from './rows/people.ts'
import { insertTraffic, insertUsage } from './rows/traffic.ts'
import { insertManyVideos, insertOneVideo, SHOWN_VIDEO, type VideoIds } from './rows/videos.ts'
import { insertFewPlays, insertWatched } from './rows/watched.ts'
import { insertWebhooks } from './rows/webhooks.ts'

/** The time of all pages. */
export const SHOWN_TIME = new Date('2026-10-15T09:30:00.000Z')
const SHOWN_DAY = SHOWN_TIME.toISOString().slice(0, 10)

export const OWNER = { name: 'Ada Lindqvist', email: 'ada@school.example' }

/** The accounts whose pages are shown, and the session of their owner. */
export interface ShownAccounts {
  /** The moment of the service that counts as `SHOWN_TIME`. */
  start: Date
  empty: number
  one: number
  /** The video of the account with one, which is being encoded. */
  oneVideo: string
  many: number
  videos: VideoIds
  cookie: { name: string; value: string }
}

type NamedAccount = 'empty' | 'one' | 'many'

const NAMES: Record<NamedAccount, string> = {
  empty: 'New studio',
  one: 'Film club',
  many: 'School of Light and Colour',
}

/** Creates an account without anything, one with a video, and one with much of everything. */
export async function fillAccounts(t: DashboardFixture): Promise<ShownAccounts> {
  const start = new Date()
  const create = async (name: NamedAccount): Promise<FilledAccount> => {
    const account = { name: NAMES[name], protection: 'clearkey', storageLimitBytes: null } as const
    return { t, start, accountId: await createAccount(t.em(), t.masterKeys, account) }
  }
  const [empty, one, many] = [await create('empty'), await create('one'), await create('many')]
  const oneVideo = await insertOneVideo(one)
  const videos = await insertManyVideos(many)
  await insertTraffic(many, videos, 24)
  await insertUsage(many, SHOWN_DAY)
  await insertWatched(many, videos, SHOWN_DAY)
  await insertFewPlays(one, oneVideo, SHOWN_DAY)
  await insertWebhooks(many, videos.get(SHOWN_VIDEO) ?? '')
  await insertColleagues(many)
  await insertKeys(many)
  await insertAudit(many, 21)
  await insertAudit(one, 1)
  return {
    start,
    empty: empty.accountId,
    one: one.accountId,
    oneVideo,
    many: many.accountId,
    videos,
    cookie: await signInOwner(t, [many, one, empty]),
  }
}

async function signInOwner(
  t: DashboardFixture,
  accounts: readonly FilledAccount[],
): Promise<ShownAccounts['cookie']> {
  const [first] = accounts
  if (!first) throw new Error('the owner has no account')
  const { id } = await t.insertMember(OWNER.email, 'owner', first.accountId)
  await t.execute('update member set name = ? where id = ?', [OWNER.name, id])
  for (const { accountId } of accounts)
    await putMembership(t.em(), { accountId, memberId: id, role: 'owner' })
  await t.execute('update membership set created_at = ? where member_id = ?', [
    minutesBefore(first, 80 * DAY),
    id,
  ])
  return { name: cookieName(t.dashboardBase), value: await t.startSession(id) }
}
