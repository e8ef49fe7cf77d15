import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { appendEvent } from '../../commands/events.ts'
import { makePng } from '../../test/fixtures/pictures.ts'
import { setUpSdkFixture } from '../../test/fixtures/sdk.ts'
import { insertProgress } from '../../test/fixtures/watched.ts'
import { etagOf, Reelgate } from './index.ts'

const t = setUpSdkFixture()

interface OpenApi {
  paths: Record<string, Record<string, { operationId: string }>>
}

const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as OpenApi

/** Returns the id of the operation that a request reached. */
function operationIdOf({ method, path }: { method: string; path: string }): string | undefined {
  const { pathname } = new URL(path, 'http://front')
  for (const [template, methods] of Object.entries(document.paths)) {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    const operation = methods[method.toLowerCase()]
    if (operation && pattern.test(pathname)) return operation.operationId
  }
  return undefined
}

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('the client', () => {
  it('reaches every operation of the document, and the real API accepts each call', async () => {
    const { reelgate, api, front } = t
    const source_url = api.sourceUrl()
    const folder = await reelgate.folders.create({ name: 'Autumn' })
    expect(await reelgate.folders.get(folder.id)).toEqual(folder)
    expect((await reelgate.folders.rename(folder.id, { name: 'Winter' })).name).toBe('Winter')
    expect((await reelgate.folders.list()).data).toHaveLength(1)

    const upload = await reelgate.uploads.create({ filename: 'lesson.mp4', size_bytes: 100 })
    expect(await reelgate.uploads.get(upload.id)).toEqual(upload)
    expect((await reelgate.uploads.list()).data).toEqual([upload])
    expect(await collect(reelgate.uploads.listAll())).toEqual([upload])
    expect((await reelgate.uploads.cancel(upload.id)).status).toBe('cancelled')

    const made = await reelgate.imports.create({ lines: [{ source_url, external_id: 'lesson-7' }] })
    expect(await reelgate.imports.get(made.id)).toEqual(made)
    expect((await reelgate.imports.list()).data).toEqual([made])
    expect(await collect(reelgate.imports.listAll())).toEqual([made])
    const [line] = (await reelgate.imports.listLines(made.id, { state: 'waiting' })).data
    expect(line).toMatchObject({ number: 1, external_id: 'lesson-7', video_id: null })
    expect(await collect(reelgate.imports.listAllLines(made.id))).toEqual([line])
    expect((await reelgate.imports.cancel(made.id)).state).toBe('cancelled')

    const video = await reelgate.videos.create({ source_url, title: 'Zoë', folder_id: folder.id })
    expect(video).toMatchObject({ status: 'queued', title: 'Zoë', folder_id: folder.id })
    expect(await reelgate.videos.get(video.id)).toEqual(video)
    expect((await reelgate.videos.getStatus(video.id)).status).toBe('queued')
    expect((await reelgate.videos.getEmbed(video.id)).embed_url).toBe(video.embed_url)
    expect((await reelgate.videos.update(video.id, { title: 'Zoe' })).title).toBe('Zoe')
    const listed = await reelgate.videos.list({ status: 'queued', folder_id: folder.id, limit: 1 })
    expect(listed.data.map(({ id }) => id)).toEqual([video.id])

    const caption = { language_code: 'pt-BR', label: 'Português' }
    const content = 'WEBVTT\n\n00:00.000 --> 00:02.000\nOlá.'
    await reelgate.captions.create(video.id, { ...caption, content })
    expect((await reelgate.captions.list(video.id)).data).toMatchObject([caption])
    expect((await reelgate.captions.get(video.id, 'pt-BR')).content).toBe(content)
    expect((await reelgate.search({ q: 'olá', language: 'pt' })).data).toEqual([])
    expect((await reelgate.captions.delete(video.id, 'pt-BR')).deleted).toBe(true)

    const added = await reelgate.chapters.create(video.id, { title: 'One', start: 0, end: 9 })
    const [chapter] = added.data
    if (!chapter) throw new Error('the list has no chapter')
    const changed = await reelgate.chapters.update(video.id, chapter.id, { end: 8 })
    expect(changed.data).toMatchObject([{ title: 'One', start: 0, end: 8, index: 0 }])
    expect((await reelgate.chapters.list(video.id)).data).toEqual(changed.data)
    expect((await reelgate.chapters.delete(video.id, chapter.id)).deleted).toBe(true)

    await api.db.em.fork().execute('update video set has_poster = true where id = ?', [video.id])
    const picture = new Blob([new Uint8Array(makePng())])
    expect((await reelgate.posters.upload(video.id, picture)).status).toBe('pending')
    expect((await reelgate.posters.getUpload(video.id)).format).toBe('png')

    const moment = await reelgate.moments.create(video.id, { label: 'The goal', timestamp: 61 })
    expect((await reelgate.moments.list(video.id)).data).toEqual([moment])
    expect((await reelgate.moments.delete(video.id, moment.id)).deleted).toBe(true)

    const token = await reelgate.playbackTokens.create(video.id, { viewer_id: 'viewer-42' })
    expect(token.embed_url).toContain(`?vt=${token.vt}`)

    const url = `${api.outside.baseUrl}/hook`
    const endpoint = await reelgate.webhookEndpoints.create({ url, events: ['video.deleted'] })
    expect(endpoint.secret).toMatch(/^whsec_/)
    const eventId = await appendEvent(api.db.em.fork(), {
      accountId: api.ours.id,
      type: 'video.deleted',
      data: { id: video.id, object: 'video' },
    })
    const [delivery] = await collect(reelgate.webhookDeliveries.listAll({ status: 'pending' }))
    if (!delivery) throw new Error('no delivery is pending')
    expect(await reelgate.webhookDeliveries.get(delivery.id)).toEqual(delivery)
    expect(await reelgate.webhookDeliveries.list({ endpoint_id: endpoint.id })).toMatchObject({
      data: [{ event_type: 'video.deleted' }],
    })
    expect(await reelgate.webhookDeliveries.retry(delivery.id)).toEqual(delivery)

    const paused = await reelgate.webhookEndpoints.update(endpoint.id, { is_active: false })
    expect(paused.disabled_reason).toBe('owner')
    expect(await reelgate.webhookEndpoints.get(endpoint.id)).toEqual(paused)
    expect(await collect(reelgate.webhookEndpoints.listAll())).toEqual([paused])
    expect((await reelgate.webhookEndpoints.list()).data).toEqual([paused])
    const rotated = await reelgate.webhookEndpoints.rotateSecret(endpoint.id, {
      overlap_seconds: 3600,
    })
    expect(rotated.secret).not.toBe(endpoint.secret)
    expect(rotated.previous_secret_expires_at).not.toBeNull()
    const expired = await reelgate.webhookEndpoints.expirePreviousSecrets(endpoint.id)
    expect(expired.previous_secret_expires_at).toBeNull()
    expect((await reelgate.webhookEndpoints.test(endpoint.id)).event_type).toBe('webhook.test')

    await reelgate.webhookEndpoints.update(endpoint.id, { is_active: true })
    const replay = await reelgate.webhookReplays.create({ since: '2026-01-01T00:00:00Z' })
    expect(await reelgate.webhookReplays.get(replay.id)).toEqual(replay)
    expect((await reelgate.webhookReplays.list()).data).toEqual([replay])
    expect(await collect(reelgate.webhookReplays.listAll())).toEqual([replay])
    expect((await reelgate.webhookReplays.cancel(replay.id)).state).toBe('cancelled')
    expect((await reelgate.webhookEndpoints.delete(endpoint.id)).deleted).toBe(true)

    expect(await reelgate.events.get(eventId)).toMatchObject({ type: 'video.deleted' })
    for await (const event of reelgate.events.follow({ since: new Date(0) })) {
      if (event.id === eventId) break
    }
    expect((await reelgate.events.list({ type: 'video.deleted' })).data).toMatchObject([
      { id: eventId, data: { id: video.id, object: 'video' } },
    ])
    const events = await collect(reelgate.events.listAll({ limit: 1 }))
    expect(events.map(({ type }) => type)).toContain('caption.ready')
    expect((await reelgate.eventTypes.list()).data.map(({ type }) => type)).toContain('video.ready')

    expect((await reelgate.account.get()).id).toBe(api.ours.id)
    expect((await reelgate.plan.get()).object).toBe('plan')
    expect((await reelgate.usage.get({ start: '2026-01-01', end: '2026-01-31' })).start).toBe(
      '2026-01-01',
    )
    expect((await reelgate.settings.getPlayer()).object).toBe('player_settings')
    expect((await reelgate.audience.get({ video_id: video.id })).totals.plays).toBe(0)
    expect((await reelgate.audience.listVideos()).data).toEqual([])
    expect((await reelgate.audience.getBreakdown({ kind: 'host' })).data).toEqual([])
    expect((await reelgate.videos.getRetention(video.id)).parts).toHaveLength(100)
    const viewerId = 'a/b ?ü'
    await insertProgress(api.db, { accountId: api.ours.id, viewerId, videoId: video.id })
    const [progress] = await collect(reelgate.viewerProgress.listAll({ video_id: video.id }))
    expect(progress).toMatchObject({ viewer_id: viewerId, watch_seconds: 60 })
    expect((await reelgate.viewerProgress.list({ viewer_id: viewerId })).data).toEqual([progress])
    expect((await reelgate.viewers.list({ prefix: 'a/' })).data).toMatchObject([{ plays: 1 }])
    expect(await collect(reelgate.viewers.listAll({ viewer_id: 'a/' }))).toEqual([])
    expect((await reelgate.viewers.erase({ viewer_id: 'x' })).object).toBe('viewer_erasure')
    expect((await reelgate.playbackReports.get(' 1c3j 1em1 ezrt')).is_stored).toBe(false)
    expect((await reelgate.securityEvents.list({ viewer_id: 'nobody' })).data).toEqual([])
    expect(await collect(reelgate.securityEvents.listAll())).toEqual([])

    expect((await reelgate.videos.delete(video.id)).deleted).toBe(true)
    expect((await reelgate.folders.delete(folder.id)).deleted).toBe(true)

    const reached = new Set(front.seen.map(operationIdOf))
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    expect(reached).toEqual(new Set(operations.map(({ operationId }) => operationId)))
  })

  it('reads a list page by page, each item once, until the loop ends', async () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of names) await t.reelgate.folders.create({ name })
    const before = t.front.seen.length
    const all = await collect(t.reelgate.folders.listAll({ limit: 2 }))
    expect(all.map(({ name }) => name)).toEqual(names.toReversed())
    expect(t.front.seen.length - before).toBe(3)
    for await (const folder of t.reelgate.folders.listAll({ limit: 2 })) {
      expect(folder.name).toBe('e')
      break
    }
    expect(t.front.seen.length - before).toBe(4)
  })

  it('continues if each item is deleted during the iteration', async () => {
    for await (const folder of t.reelgate.folders.listAll({ limit: 2 }))
      await t.reelgate.folders.delete(folder.id)
    expect(await collect(t.reelgate.folders.listAll())).toEqual([])
  })

  it('changes what nothing else has changed since with `ifMatch`, also if a response is lost', async () => {
    const { folders } = t.reelgate
    const { id } = await folders.create({ name: 'Opened' })
    const opened = await folders.get(id)
    t.front.failNext('lose-response')
    const renamed = await folders.rename(id, { name: 'Mine' }, { ifMatch: etagOf(opened) })
    expect(renamed.name).toBe('Mine')
    const late = folders.rename(id, { name: 'Late' }, { ifMatch: etagOf(opened) })
    await expect(late).rejects.toMatchObject({ status: 412, code: 'precondition_failed' })
    await expect(folders.delete(id, { ifMatch: etagOf(opened) })).rejects.toMatchObject({
      code: 'precondition_failed',
    })
    expect((await folders.delete(id, { ifMatch: etagOf(renamed) })).deleted).toBe(true)
    expect(etagOf({ ...renamed })).toBeUndefined()
  })

  it('pages through videos, in each order and by every kind of filter', async () => {
    const { videos } = t.reelgate
    for (const title of ['Two', 'One', 'Three']) {
      const { id } = await videos.create({ source_url: t.api.sourceUrl(), title })
      await videos.update(id, { tags: ['lab', title], metadata: { 'a b': '7 & 8' } })
    }
    const titles = async (query: Parameters<typeof videos.listAll>[0]) =>
      (await collect(videos.listAll({ limit: 1, tag: ['lab'], ...query }))).map(
        ({ title }) => title,
      )
    expect(await titles({})).toEqual(['Three', 'One', 'Two'])
    expect(await titles({ sort: 'title' })).toEqual(['One', 'Three', 'Two'])
    expect(await titles({ sort: 'updated', metadata: { 'a b': '7 & 8' } })).toHaveLength(3)
    expect(await titles({ tag: ['LAB', 'two'] })).toEqual(['Two'])
    expect(await titles({ metadata: { 'a b': '7' } })).toEqual([])
    const since = new Date(Date.now() - 60_000).toISOString()
    expect(await titles({ 'created[gte]': since, title: 'three' })).toEqual(['Three'])
    expect(await titles({ 'created[lt]': since })).toEqual([])
  })

  it.each([
    [{ apiKey: '' }, 'apiKey'],
    [{ apiKey: 'a\nb' }, 'apiKey'],
    [{ baseUrl: 'api.example.com' }, 'baseUrl'],
    [{ baseUrl: 'ftp://api.example.com' }, 'baseUrl'],
    [{ baseUrl: 'https://api.example.com/?a=b' }, 'baseUrl'],
    [{ baseUrl: 'https://api.example.com/v1' }, 'baseUrl'],
    [{ baseUrl: 'https://api.example.com/v1/' }, 'baseUrl'],
    [{ maxRetries: -1 }, 'maxRetries'],
    [{ maxRetries: 11 }, 'maxRetries'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ totalTimeoutMs: 2 ** 31 }, 'totalTimeoutMs'],
  ])('refuses the options %j', (options, param) => {
    const good = { apiKey: 'key', baseUrl: 'https://api.example.com' }
    expect(() => new Reelgate({ ...good, ...options })).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', param }),
    )
  })

  it.each(['', '.', '..', undefined as unknown as string])(
    'refuses the id %j, which is the path of another operation, and sends nothing',
    async (id) => {
      const start = t.front.seen.length
      const refused = { type: 'invalid_argument', code: 'invalid_parameter', param: 'id' }
      await expect(t.reelgate.videos.get(id)).rejects.toMatchObject(refused)
      await expect(t.reelgate.videos.delete(id)).rejects.toMatchObject(refused)
      expect(t.front.seen).toHaveLength(start)
    },
  )

  it('accepts a base address with a path and a trailing slash', async () => {
    await expect(
      t.clientWith({ baseUrl: new URL('/inner/', t.front.url) }).account.get(),
    ).rejects.toMatchObject({ status: 404, code: 'route_not_found' })
    expect(t.front.seen.at(-1)?.path).toBe('/inner/v1/account')
    expect((await t.clientWith({ baseUrl: `${t.front.url}/` }).account.get()).object).toBe(
      'account',
    )
  })
})
