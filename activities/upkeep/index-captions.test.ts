import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, it } from 'vitest'
import { indexCaption } from '../../commands/captions/index-caption.ts'
import { CaptionSearch } from '../../db/migrations/migration-20261225100000-caption-search.ts'
import { runOn } from '../../db/schema/transactions.ts'
import { readCaptionBacklog } from '../../db/search/caption-backlog.ts'
import { listChangedCaptions } from '../../db/search/caption-changes.ts'
import { isOnlyIndexer } from '../../db/search/index-lock.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { waitForLock } from '../../test/fixtures/locks.ts'
import { followAlert } from '../../test/infrastructure/follow-alert.ts'
import { linesOfFailure } from '../../test/infrastructure/logged-activity.ts'
import { withDeps } from '../deps.ts'
import { indexCaptions } from './index-captions.ts'

const t = setUpApiFixture()
const { call, create } = t
const em = () => t.db.em.fork()
const execute = <Row>(text: string, values: unknown[] = []) => em().execute<Row[]>(text, values)
const index = (options: { indexMs?: number; now?: () => number } = {}) =>
  new MockActivityEnvironment().run(withDeps({ db: t.db, ...options }, indexCaptions))

const vtt = (text: string) => `WEBVTT\n\n00:00.000 --> 00:02.000\n${text}\n`

const addVideo = async (key = t.ours.key) =>
  String((await call('POST', '/v1/videos', { body: { source_url: t.sourceUrl() }, key })).json.id)

const write = (videoId: string, content: string, language = 'en', key = t.ours.key) =>
  call('POST', `/v1/videos/${videoId}/captions`, {
    body: { language_code: language, label: 'L', content },
    key,
  })

/** What the index has of a video, by language. */
async function textsOf(videoId: string): Promise<Record<string, string[]>> {
  const rows = await execute<{ code: string; texts: string[] }>(
    `select language_code as code, array_agg(c ->> 2 order by number) as texts
     from caption_passage, jsonb_array_elements(cues) c where video_id = ? group by language_code`,
    [videoId],
  )
  return Object.fromEntries(rows.map(({ code, texts }) => [code, texts]))
}

const changesLeft = async () =>
  Number((await execute<{ count: string }>('select count(*) from caption_change'))[0]?.count)

const changesOf = (accountId: number) => listChangedCaptions(em(), accountId, [], 100)

describe('the index of captions', () => {
  it('has a caption that was written, replaced or deleted, with one call for all its changes', async () => {
    const videoId = await addVideo()
    await write(videoId, vtt('One'))
    await write(videoId, vtt('Eins'), 'de')
    await write(videoId, vtt('Two'))
    expect(await index()).toBe(2)
    expect(await textsOf(videoId)).toEqual({ en: ['Two'], de: ['Eins'] })
    await call('DELETE', `/v1/videos/${videoId}/captions/en`)
    expect(await index()).toBe(1)
    expect(await textsOf(videoId)).toEqual({ de: ['Eins'] })
    expect([await index(), await changesLeft()]).toEqual([0, 0])
  })

  it('loses the captions of a deleted video', async () => {
    const videoId = await addVideo()
    await write(videoId, vtt('One'))
    await write(videoId, vtt('Eins'), 'de')
    await index()
    await call('DELETE', `/v1/videos/${videoId}`)
    await index()
    expect(await textsOf(videoId)).toEqual({})
  })

  it('has those that a retry as a new video has copied', async () => {
    const [from, to] = [await addVideo(), await addVideo()]
    await write(from, vtt('Copied'))
    await execute(
      `insert into caption (video_id, language_code, label, content, size_bytes)
       select ?, language_code, label, content, size_bytes from caption where video_id = ?`,
      [to, from],
    )
    await index()
    expect(await textsOf(to)).toEqual({ en: ['Copied'] })
  })

  it('has a caption once, however often it is indexed', async () => {
    const videoId = await addVideo()
    await write(videoId, vtt('One'))
    const [changed] = await changesOf(t.ours.id)
    if (!changed) throw new Error('the caption has no change')
    expect([await indexCaption(em(), changed), await indexCaption(em(), changed)]).toEqual([
      true,
      true,
    ])
    expect(await textsOf(videoId)).toEqual({ en: ['One'] })
  })

  it('has nothing of a caption that is deleted while it is indexed', async () => {
    const videoId = await addVideo()
    await write(videoId, vtt('Gone'))
    const [changed] = await changesOf(t.ours.id)
    if (!changed) throw new Error('the caption has no change')
    const other = em()
    await other.begin()
    await other.execute(
      `insert into caption_passage (video_id, language_code, number, account_id, language, cues, words)
       values (?, 'en', 0, 0, 'en', '[]', '')`,
      [videoId],
    )
    // It has read the text, and waits for the other transaction to insert its first passage.
    const indexed = indexCaption(em(), changed)
    await waitForLock({ execute })
    await call('DELETE', `/v1/videos/${videoId}/captions/en`)
    await other.rollback()
    expect(await indexed).toBe(true)
    expect(await textsOf(videoId)).toEqual({})
    await index()
    expect([await textsOf(videoId), await changesLeft()]).toEqual([{}, 0])
  })

  it('is written by one transaction at a time', async () => {
    const videoId = await addVideo()
    await write(videoId, vtt('One'))
    await em().transactional(async (tx) => {
      expect(await isOnlyIndexer(tx)).toBe(true)
      expect(await index()).toBe(0)
    })
    expect(await index()).toBe(1)
    expect(await textsOf(videoId)).toEqual({ en: ['One'] })
  })

  it('stays as it was when a process is killed within a caption, and the next call continues', async () => {
    const videoId = await addVideo()
    await write(videoId, vtt('Before'))
    await index()
    await write(videoId, vtt('After'))
    await expect(
      em().transactional(async (tx) => {
        const [changed] = await changesOf(t.ours.id)
        if (changed) await indexCaption(tx, changed)
        throw new Error('killed')
      }),
    ).rejects.toThrow('killed')
    expect(await textsOf(videoId)).toEqual({ en: ['Before'] })
    await index()
    expect(await textsOf(videoId)).toEqual({ en: ['After'] })
  })

  it('gets the captions of all accounts in turns, and stops when its time is over', async () => {
    const [ours, theirs] = [await addVideo(), await addVideo(t.theirs.key)]
    for (const language of ['en', 'de', 'fr', 'es']) await write(ours, vtt(language), language)
    await write(theirs, vtt('theirs'), 'en', t.theirs.key)
    // Each look at the clock is two seconds later: an account has one caption in its turn.
    let seconds = 0
    const now = () => (seconds += 2) * 1_000
    await index({ now, indexMs: 14_000 })
    expect(Object.keys(await textsOf(theirs))).toEqual(['en'])
    expect(Object.keys(await textsOf(ours)).length).toBeLessThan(4)
    await index()
    expect(Object.keys(await textsOf(ours))).toHaveLength(4)
  })

  it('gets the other captions when one cannot be indexed, which is tried again', async () => {
    const videoId = await addVideo()
    for (const content of ['bad', 'bad again', 'bad']) await write(videoId, vtt(content), 'en')
    await write(videoId, vtt('good'), 'de')
    await execute(
      `alter table caption_passage add constraint fault check (cues::text not like '%bad%') not valid`,
    )
    const info = { activityType: 'indexCaptions', workflowId: 'sweep-outbox' }
    const worker = await linesOfFailure(info, () => indexCaptions({ db: t.db }), undefined)
    expect(await textsOf(videoId)).toEqual({ de: ['good'] })
    expect(JSON.parse(await followAlert('ReelgateCaptionsNotIndexed', { worker }))).toMatchObject({
      videoId,
      languageCode: 'en',
      err: { message: expect.stringContaining('fault') },
    })
    await execute('alter table caption_passage drop constraint fault')
    await index()
    expect(await textsOf(videoId)).toEqual({ en: ['bad'], de: ['good'] })
  })

  it('says how many changes it does not have yet, and since when', async () => {
    await index()
    expect(await readCaptionBacklog(em())).toEqual({ count: 0, oldestSeconds: 0 })
    const [ours, theirs] = [await addVideo(), await addVideo(t.theirs.key)]
    await write(ours, vtt('One'))
    for (const language of ['en', 'de']) await write(theirs, vtt('One'), language, t.theirs.key)
    await execute(
      `update caption_change set created_at = now() - interval '1 hour' where video_id = ? and language_code = 'en'`,
      [theirs],
    )
    const { count, oldestSeconds } = await readCaptionBacklog(em())
    expect([count, Math.floor(oldestSeconds / 60)]).toEqual([3, 60])
    await index()
    expect(await readCaptionBacklog(em())).toEqual({ count: 0, oldestSeconds: 0 })
  })

  it('has a text of many passages in full', async () => {
    const videoId = await addVideo()
    const cues = Array.from({ length: 5_000 }, (_, at) => {
      const [minutes, seconds] = [Math.floor(at / 60) % 60, at % 60]
      const second = [Math.floor(at / 3_600), minutes, seconds]
        .map((part) => String(part).padStart(2, '0'))
        .join(':')
      return `${second}.000 --> ${second}.900\ncue ${at}\n`
    })
    expect((await write(videoId, `WEBVTT\n\n${cues.join('\n')}`)).status).toBe(201)
    await index()
    const { en = [] } = await textsOf(videoId)
    expect(new Set(en).size).toBe(5_000)
  })
})

describe('captions from before the index', () => {
  it('are indexed after the migration, also if it was killed and runs again', async () => {
    const videoId = String((await create()).json.id)
    for (const language of ['en', 'de']) await write(videoId, vtt(language), language)
    await execute('delete from caption_change')
    const steps = new CaptionSearch(t.db.driver, t.db.config).steps()
    const existing = steps.find(({ name }) => name === 'captions that exist')
    const pool = await t.db.driver.getConnection().getNativeClient()
    for (let run = 1; run <= 2; run += 1) await existing?.work(runOn(pool))
    expect((await changesOf(t.ours.id)).length).toBeGreaterThan(0)
    await index()
    expect(await textsOf(videoId)).toEqual({ en: ['en'], de: ['de'] })
    expect(await changesLeft()).toBe(0)
  })
})
