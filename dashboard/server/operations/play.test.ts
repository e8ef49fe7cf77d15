import { expect, it } from 'vitest'
import { findAccount } from '../../../db/accounts/accounts.ts'
import { verifyMemberToken } from '../../../security/tokens/member-token.ts'
import { readViewerToken } from '../../../security/tokens/viewer-token.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'
import { insertPublishedVideo } from '../../../test/fixtures/published-video.ts'

const t = setUpDashboardFixture()

it('POST /videos/{id}/play gives also a reader a token of 60 seconds that names the member', async () => {
  const keys = { masterKeys: t.masterKeys, signingSecret: 'a'.repeat(64) }
  const facts = { title: 'One', accountId: t.accountId }
  const { videoId } = await insertPublishedVideo(t.db, keys, facts)
  const { status, json } = await t.call('reader', 'POST', `/videos/${videoId}/play`)
  expect(status).toBe(201)
  expect(json.viewer_id).toBe(`dashboard:${t.members.reader.id}`)
  const account = await findAccount(t.em(), t.accountId)
  if (!account) throw new Error('no account')
  const sent = new URL(String(json.embed_url)).searchParams.get('vt') ?? ''
  const verdict = verifyMemberToken(t.masterKeys, account, readViewerToken(sent))
  if (!verdict.ok) throw new Error(verdict.reason)
  expect(verdict.claims.viewerId).toBe(json.viewer_id)
  const seconds = verdict.claims.expiresAtSeconds - Date.now() / 1000
  expect([seconds > 50, seconds <= 60]).toEqual([true, true])
})
