import { beforeAll, describe, expect, it } from 'vitest'
import { notePlayingNow } from '../../commands/audience/count-sessions.ts'
import { utcDay } from '../../domain/timestamps.ts'
import type {
  Audience,
  AudienceValueList,
  AudienceVideoList,
  Retention,
  ViewerList,
  ViewerProgressList,
} from '../../sdk/src/types.ts'
import { countAll, sendBeats } from '../../test/audience/count-all.ts'
import {
  diceOf,
  syntheticSession,
  type SyntheticSession,
  type SyntheticVideo,
} from '../../test/audience/synthetic-sessions.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { insertPublishedVideo } from '../../test/fixtures/published-video.ts'

const t = setUpApiFixture()
const { call } = t
const DURATION_MS = 600_000

let videos: SyntheticVideo[]
let sessions: SyntheticSession[]
/** Those of our account that are plays. */
let plays: SyntheticSession['truth'][]

const insertVideo = async (accountId: number, title: string): Promise<SyntheticVideo> => {
  const keys = { masterKeys: t.masterKeys, signingSecret: 'ab'.repeat(32) }
  const video = await insertPublishedVideo(t.db, keys, {
    title,
    durationMs: DURATION_MS,
    accountId,
  })
  return { videoId: video.videoId, accountId, durationMs: DURATION_MS }
}

beforeAll(async () => {
  const ours = await insertVideo(t.ours.id, '=Formula')
  videos = [ours, await insertVideo(t.ours.id, 'Second'), await insertVideo(t.theirs.id, 'Theirs')]
  const dice = diceOf(7)
  const nowMs = Date.now()
  sessions = Array.from({ length: 150 }, () =>
    syntheticSession(dice, videos, { nowMs, viewers: 20 }),
  )
  await sendBeats(t.db, sessions)
  await notePlayingNow(t.db.em.fork())
  await countAll(t.db)
  const truths = sessions.map(({ truth }) => truth)
  plays = truths.filter(
    ({ session, watchedMs }) => session.accountId === t.ours.id && watchedMs >= 3000,
  )
})

const get = async <View>(path: string, key?: string): Promise<View> => {
  const { status, json } = await call('GET', path, key === undefined ? {} : { key })
  expect(status).toBe(200)
  return json as View
}
const csv = async (path: string): Promise<string[]> => {
  const headers = { Authorization: `Bearer ${t.ours.key}`, Accept: 'text/csv' }
  const response = await fetch(`${t.base}${path}`, { headers })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  return (await response.text()).split('\r\n')
}
const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0)
const ofVideo = (at: number) =>
  plays.filter(({ session }) => session.videoId === videos[at]?.videoId)

describe('the audience', () => {
  it('of the account and of a video has the totals of the plays, and a point for each day and hour', async () => {
    const watched = sum(plays.map(({ watchedMs }) => watchedMs)) / 1000
    const all = await get<Audience>('/v1/audience')
    expect(all).toMatchObject({ video_id: null, interval: 'day', to: utcDay(Date.now()) })
    expect(all.series).toHaveLength(28)
    expect(all.totals).toMatchObject({ plays: plays.length, watch_seconds: watched })
    expect(all.totals.average_view_seconds).toBeCloseTo(watched / plays.length, 2)
    expect(all.totals.completion_rate).toBeCloseTo(
      plays.filter(({ shown }) => shown.size >= 90).length / plays.length,
      3,
    )
    const viewers = new Set(plays.flatMap(({ session }) => session.viewerId ?? []))
    expect(Math.abs(all.totals.viewers - viewers.size)).toBeLessThanOrEqual(1)
    expect(all.totals.first_frame_p95_seconds).toBeGreaterThan(
      Number(all.totals.first_frame_p50_seconds),
    )
    expect(all.previous_totals).toMatchObject({ plays: 0, viewers: 0, completion_rate: null })
    expect(sum(all.series.map(({ plays: count }) => count))).toBe(plays.length)
    const id = videos[0]?.videoId
    const from = utcDay(Date.now() - 86_400_000)
    const hours = await get<Audience>(`/v1/audience?video_id=${id}&interval=hour&from=${from}`)
    expect(hours.series).toHaveLength(48)
    expect(sum(hours.series.map(({ plays: count }) => count))).toBe(ofVideo(0).length)
    const months = await get<Audience>(`/v1/audience?video_id=${id}&interval=month&from=2026-01-01`)
    expect(months.totals.plays).toBe(ofVideo(0).length)
    const playing = sessions.filter(({ session }) => session.accountId === t.ours.id).length
    expect(all.totals.peak_sessions).toBe(playing)
  })

  it('of one day has the exact number of viewers', async () => {
    for (const day of [utcDay(Date.now()), utcDay(Date.now() - 86_400_000)]) {
      const { totals } = await get<Audience>(`/v1/audience?from=${day}&to=${day}`)
      const ofDay = plays.filter(({ session }) => utcDay(session.startedAtMs) === day)
      const viewers = new Set(ofDay.flatMap(({ session }) => session.viewerId ?? []))
      expect(totals).toMatchObject({ viewers: viewers.size, is_viewers_exact: true })
    }
  })

  it('lists the most watched videos, and breaks plays down', async () => {
    const { data } = await get<AudienceVideoList>('/v1/audience/videos')
    const counts = [0, 1].map((at) => [videos[at]?.videoId, ofVideo(at).length] as const)
    expect(data.map((one) => [one.video_id, one.plays])).toEqual(
      counts.toSorted(([, a], [, b]) => b - a),
    )
    const { data: browsers } = await get<AudienceValueList>('/v1/audience/breakdown?kind=browser')
    for (const { value, plays: count } of browsers)
      expect(count).toBe(plays.filter(({ browser }) => browser === value).length)
    const hosts = await get<AudienceValueList>(
      `/v1/audience/breakdown?kind=host&video_id=${videos[1]?.videoId}`,
    )
    expect(sum(hosts.data.map(({ plays: count }) => count))).toBe(ofVideo(1).length)
  })

  it('has the share of plays that have shown each hundredth, and again', async () => {
    const curve = await get<Retention>(`/v1/videos/${videos[0]?.videoId}/retention`)
    const all = ofVideo(0)
    expect(curve.plays).toBe(all.length)
    for (const part of [0, 50, 99]) {
      expect(curve.parts[part]).toBeCloseTo(
        all.filter(({ shown }) => shown.has(part)).length / all.length,
        3,
      )
      expect(curve.replays[part]).toBeCloseTo(
        all.filter(({ again }) => again.has(part)).length / all.length,
        3,
      )
    }
  })

  it('lists viewers by the beginning of their id, with their videos, position and completion', async () => {
    const { data: some } = await get<ViewerList>('/v1/viewers?prefix=viewer-1&limit=100')
    const ours = new Set(
      sessions.flatMap(({ session: { accountId, viewerId } }) =>
        accountId === t.ours.id && viewerId?.startsWith('viewer-1') ? [viewerId] : [],
      ),
    )
    expect(new Set(some.map((one) => one.viewer_id))).toEqual(ours)
    const id = some[0]?.viewer_id ?? ''
    const { data: progress } = await get<ViewerProgressList>(`/v1/viewer-progress?viewer_id=${id}`)
    for (const one of progress) {
      const own = plays.filter(
        ({ session }) => session.viewerId === id && session.videoId === one.video_id,
      )
      const shown = new Set(own.flatMap((truth) => [...truth.shown]))
      expect(one).toMatchObject({ plays: own.length, is_complete: shown.size >= 90 })
      if (own.length > 0) expect(one.progress).toBe(shown.size / 100)
    }
    const of = `/v1/viewer-progress?video_id=${videos[0]?.videoId}`
    const first = await get<ViewerProgressList>(`${of}&limit=1`)
    const rest = await get<ViewerProgressList>(
      `${of}&limit=100&starting_after=${first.data[0]?.id}`,
    )
    const whole = await get<ViewerProgressList>(`${of}&limit=100`)
    expect([...first.data, ...rest.data]).toEqual(whole.data)
  })

  it('is a table for a client that accepts CSV, without a formula', async () => {
    const points = await csv('/v1/audience')
    expect(points[0]).toBe('start,plays,viewers,watch_seconds,completions,errors,peak_sessions')
    expect(points).toHaveLength(30)
    expect((await csv('/v1/audience/videos')).join('\n')).toContain(`,'=Formula,`)
    expect((await csv('/v1/viewers'))[0]).toContain('viewer_id,plays')
  })

  it('of another account cannot be read or counted', async () => {
    const id = videos[0]?.videoId
    const { key } = t.theirs
    for (const path of [
      `/v1/audience?video_id=${id}`,
      `/v1/audience/breakdown?kind=host&video_id=${id}`,
      `/v1/videos/${id}/retention`,
    ])
      expect(await call('GET', path, { key })).toMatchObject({
        status: 404,
        code: 'video_not_found',
      })
    const theirs = sessions.filter(
      ({ session, truth }) => session.accountId === t.theirs.id && truth.watchedMs >= 3000,
    )
    expect((await get<Audience>('/v1/audience', key)).totals.plays).toBe(theirs.length)
    const { data } = await get<AudienceVideoList>('/v1/audience/videos', key)
    expect(data.map(({ title }) => title)).toEqual(['Theirs'])
    expect((await get<ViewerProgressList>(`/v1/viewer-progress?video_id=${id}`, key)).data).toEqual(
      [],
    )
    const only = await t.keyFor(t.ours.id, ['videos:read', 'usage:read'])
    expect((await call('GET', '/v1/audience', { key: only })).code).toBe('insufficient_scope')
  })

  it('refuses a range that is empty or too long', async () => {
    for (const query of [
      'from=2026-02-01&to=2026-01-01',
      'from=2020-01-01',
      'interval=hour&from=2026-01-01',
    ])
      expect(await call('GET', `/v1/audience?${query}`)).toMatchObject({
        status: 422,
        code: 'invalid_parameter',
        json: { error: { param: 'from' } },
      })
  })
})
