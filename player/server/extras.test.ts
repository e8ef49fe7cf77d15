import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Chapter, Moment } from '../../db/entities/annotation.ts'
import { Video } from '../../db/entities/video.ts'
import { insertChapter, insertMoment, putCaption } from '../../db/videos/write-annotations.ts'
import { openPlayerFixture, type PlayerFixture } from '../../test/fixtures/player.ts'
import { sendHead } from '../../test/infrastructure/raw-request.ts'
import { until } from '../../test/infrastructure/wait-for.ts'

let fixture: PlayerFixture
let session: string
const VTT = 'WEBVTT\n\n00:01.000 --> 00:02.000\n<script>alert(1)</script> é\n'

beforeAll(async () => {
  fixture = await openPlayerFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  const change = { deletedAt: null, hasStoryboard: false }
  await fixture.db.em.fork().nativeUpdate(Video, fixture.videoId, change)
  session = (await fixture.openPage()).session
})

const extras = () => fixture.ask('/sessions/extras', { session })
const caption = (name: string) =>
  fixture.ask(`/media/${fixture.videoId}/captions/${name}`, { session })
const put = (languageCode: string, label: string) =>
  putCaption(fixture.db.em.fork(), {
    videoId: fixture.videoId,
    languageCode,
    label,
    content: VTT,
    sizeBytes: Buffer.byteLength(VTT),
  })

describe('the extras of a video', () => {
  it('are empty by default, and need a session', async () => {
    const response = await extras()
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(await response.json()).toEqual({
      captions: [],
      chapters: [],
      moments: [],
      storyboard: null,
    })
    expect((await fixture.ask('/sessions/extras')).status).toBe(403)
  })

  it('end with the playable part, even before the duration is known', async () => {
    const { videoId } = fixture
    const em = fixture.db.em.fork()
    await insertChapter(em, { videoId, title: 'In', startSeconds: 0, endSeconds: 4 })
    await insertChapter(em, { videoId, title: 'Over', startSeconds: 4, endSeconds: 9 })
    await insertChapter(em, { videoId, title: 'Beyond', startSeconds: 9, endSeconds: 12 })
    for (const timestampSeconds of [6, 7])
      await insertMoment(em, { videoId, label: 'At', timestampSeconds })
    // Its rendition has 6 s.
    await em.nativeUpdate(Video, videoId, { status: 'playable', durationMs: null })
    expect(await (await extras()).json()).toMatchObject({
      chapters: [
        { title: 'In', start: 0, end: 4 },
        { title: 'Over', start: 4, end: 6 },
      ],
      moments: [{ timestamp: 6 }],
    })
    await em.nativeUpdate(Video, videoId, { status: 'ready', durationMs: 120_000 })
    await em.nativeDelete(Chapter, { videoId })
    await em.nativeDelete(Moment, { videoId })
  })

  it('are captions by language, chapters and moments by time, and the storyboard', async () => {
    const { videoId } = fixture
    await put('pt-BR', 'Português "BR"')
    await put('de', 'Deutsch')
    const em = fixture.db.em.fork()
    await insertChapter(em, { videoId, title: 'Two', startSeconds: 60, endSeconds: 90 })
    await insertChapter(em, { videoId, title: 'One </script>', startSeconds: 0, endSeconds: 60 })
    await insertMoment(em, { videoId, label: 'Later', timestampSeconds: 70 })
    await insertMoment(em, { videoId, label: 'Sooner', timestampSeconds: 7 })
    await em.nativeUpdate(Video, videoId, { hasStoryboard: true })
    expect(await (await extras()).json()).toEqual({
      captions: [
        { language_code: 'de', label: 'Deutsch', url: `/media/${videoId}/captions/de.vtt` },
        {
          language_code: 'pt-BR',
          label: 'Português "BR"',
          url: `/media/${videoId}/captions/pt-BR.vtt`,
        },
      ],
      chapters: [
        { title: 'One </script>', start: 0, end: 60 },
        { title: 'Two', start: 60, end: 90 },
      ],
      moments: [
        { label: 'Sooner', timestamp: 7 },
        { label: 'Later', timestamp: 70 },
      ],
      storyboard: {
        index_url: `/media/${videoId}/storyboard.vtt`,
        image_url: `/media/${videoId}/storyboard.jpg`,
      },
    })
  })

  it('are not found once the video is deleted', async () => {
    await fixture.db.em.fork().nativeUpdate(Video, fixture.videoId, { deletedAt: new Date() })
    expect((await extras()).status).toBe(404)
    expect((await caption('de.vtt')).status).toBe(404)
  })
})

describe('a caption', () => {
  it('is its exact WebVTT text, which browsers cannot treat as another type', async () => {
    await put('de', 'Deutsch')
    const response = await caption('de.vtt')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe(VTT)
    const { headers } = response
    expect(headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('private, no-store')
  })

  it.each([
    'fr.vtt',
    'de',
    'de.srt',
    'DE.vtt',
    '%00.vtt',
    'de%00.vtt',
    '..%2Fde.vtt',
    "de'--.vtt",
    '%F0%9F%8E%AC.vtt',
    `${'a'.repeat(500)}.vtt`,
    '.vtt',
    'de%0d%0aX:1.vtt',
    '%25.vtt',
  ])('is a JSON 404 at %s', async (name) => {
    await put('de', 'Deutsch')
    const response = await caption(name)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'caption_not_found' } })
  })

  it('is refused to a network whose clients read none of many large ones, and to no other', async () => {
    const content = VTT.padEnd(5_000_000, 'x')
    const of = { videoId: fixture.videoId, languageCode: 'en', label: 'English' }
    await putCaption(fixture.db.em.fork(), { ...of, content, sizeBytes: content.length })
    await fixture.restart({ trustedProxies: 1 })
    const path = `/media/${fixture.videoId}/captions/en.vtt`
    const from = (ip: string) => ({ 'X-Playback-Session': session, 'X-Forwarded-For': ip })
    const { socket } = sendHead(fixture.base, { method: 'GET', path, headers: from('192.0.2.1') })
    socket.pause()
    const lines = Object.entries({ Host: 'x', ...from('192.0.2.1') }).map((pair) => pair.join(': '))
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`.repeat(20))
    const statusFor = async (ip: string) => {
      const response = await fetch(fixture.base + path, { headers: from(ip) })
      await response.body?.cancel()
      return response.status
    }
    await until(
      async () => (await statusFor('192.0.2.2')) === 200 && (await statusFor('192.0.2.1')) === 429,
    )
    socket.destroy()
    await until(async () => (await statusFor('192.0.2.1')) === 200)
    await fixture.restart()
  })

  it('needs a session of its video', async () => {
    const path = `/media/${fixture.videoId}/captions/de.vtt`
    expect((await fixture.ask(path)).status).toBe(403)
    const other = `/media/${'0'.repeat(20)}/captions/de.vtt`
    expect((await fixture.ask(other, { session })).status).toBe(403)
  })
})
