import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { H264, picture, setUpMediaFixture, signal, tone } from '../../test/fixtures/media-files.ts'
import { someOf } from '../../test/infrastructure/every-case.ts'
import { inDolbyVision, turned } from '../../test/odd-files/boxes.ts'
import { probeSource } from './probe-source.ts'

const t = setUpMediaFixture()
const { make } = t

describe('files that fail with a reason', () => {
  const refused = async (path: string): Promise<{ code: string; message: string }> => {
    try {
      await probeSource(path, { signal })
    } catch (error) {
      return error as { code: string; message: string }
    }
    throw new Error('it was accepted')
  }

  it('audio alone, and audio with cover art', async () => {
    const plain = await make('audio.m4a', ...tone(), '-c:a', 'aac')
    const message = expect.stringMatching(/only audio.*Add a picture/)
    expect(await refused(plain)).toEqual(
      expect.objectContaining({ code: 'no_video_stream', message }),
    )
    const cover = await make(
      'cover.m4a',
      ...tone(),
      ...'-f lavfi -i color=red:s=600x600:d=0.04 -map 0 -map 1'.split(' '),
      ...'-c:a aac -c:v mjpeg -frames:v 1 -disposition:v attached_pic'.split(' '),
    )
    expect(await refused(cover)).toMatchObject({ code: 'no_video_stream' })
  })

  it.each(['aiff', 'caf', 'w64', 'au', 'ac3', 'tta', 'wv'])(
    'audio alone in a container that has no pictures: %s',
    async (type) => {
      const path = await make(`audio.${type}`, ...tone(0.2))
      expect(await refused(path)).toMatchObject({ code: 'no_video_stream' })
    },
  )

  it('a file truncated before its index', async () => {
    const whole = await make('whole.mp4', ...picture(), ...H264)
    const path = join(t.folder, 'cut.mp4')
    await writeFile(path, (await readFile(whole)).subarray(0, 30_000))
    const { code, message } = await refused(path)
    expect(['unreadable_file', 'unsupported_container']).toContain(code)
    expect(message).not.toContain(t.folder)
  })

  it('a picture in Dolby Vision that means nothing without it', async () => {
    const hevc = '-c:v libx265 -preset ultrafast -x265-params log-level=error -tag:v hvc1'
    const plain = await make('plain.mp4', ...picture('64x64', 5, 0.4), ...hevc.split(' '))
    const path = join(t.folder, 'dolby.mp4')
    await writeFile(path, inDolbyVision(await readFile(plain), 5, 0))
    expect(await refused(path)).toMatchObject({ code: 'unsupported_dolby_vision' })
    await writeFile(path, inDolbyVision(await readFile(plain), 8, 2))
    expect((await probeSource(path, { signal })).video.hdr).toBeNull()
  })

  it('a file truncated inside its index, wherever', async () => {
    for (const [name, flags] of [
      ['streamed.mp4', '+faststart'],
      ['streamed.mov', '+faststart'],
    ] as const) {
      const made = await make(name, ...picture('64x36', 5, 1), ...H264, '-movflags', flags)
      const whole = await readFile(made)
      const [start, end] = [whole.indexOf('moov'), whole.indexOf('mdat')]
      expect(start).toBeLessThan(end)
      for (const part of someOf([1, 2, 3, 4, 5, 6, 7, 8, 9], 4)) {
        const path = join(t.folder, `${part}-${name}`)
        await writeFile(path, whole.subarray(0, start + ((end - start) * part) / 10))
        expect(await refused(path)).toMatchObject({
          code: 'unreadable_file',
          message: expect.stringContaining('index'),
        })
      }
    }
  })

  it('nothing, noise and text', async () => {
    for (const [name, body] of [
      ['empty.mp4', Buffer.alloc(0)],
      ['noise.mp4', randomBytes(50_000)],
      ['text.mp4', Buffer.from('hello\n'.repeat(1000))],
    ] as const) {
      const path = join(t.folder, name)
      await writeFile(path, body)
      expect((await refused(path)).message).toMatch(/file/)
    }
  })

  it('playlists and scripts sent as video: no file or URL in them is opened', async () => {
    let asked = 0
    const server = createServer((_request, response) => {
      asked += 1
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const local = await make('local.mp4', ...picture('320x240', 30, 1), ...H264)
    const scripts = [
      `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nhttp://127.0.0.1:${port}/a.ts\n#EXT-X-ENDLIST\n`,
      `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://${local}\n#EXT-X-ENDLIST\n`,
      `ffconcat version 1.0\nfile '${local}'\n`,
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation><BaseURL>http://127.0.0.1:${port}/x.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
      `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${port} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    ]
    for (const [at, script] of scripts.entries()) {
      const path = join(t.folder, `script-${at}.mp4`)
      await writeFile(path, script)
      expect(await refused(path)).toMatchObject({ message: expect.any(String) })
    }
    expect(asked).toBe(0)
    await new Promise((resolve) => server.close(resolve))
  })
})

it.each([
  [90, 270, []],
  [89.5, 270, []],
  [45, 0, ['corners_cut']],
  [-45, 0, ['corners_cut']],
])('a picture that is turned by %s degrees', async (degrees, rotation, codes) => {
  const plain = await make('upright.mp4', ...picture('64x36', 5, 0.4), ...H264)
  const path = join(t.folder, 'turned.mp4')
  await writeFile(path, turned(await readFile(plain), degrees))
  const { video, warnings } = await probeSource(path, { signal })
  expect(video.rotation).toBe(rotation)
  expect(video.displayWidth > video.displayHeight).toBe(rotation === 0)
  expect(warnings?.map(({ code }) => code)).toEqual(codes)
})

it.each(['mpegts', 'mpeg'])(
  'a gap of half a frame does not double the frame rate: %s',
  async (format) => {
    const parts = ['0', '1.5'].map((offset) =>
      make(
        `from-${offset}.${format}`,
        ...picture('64x36', 25, 1),
        ...'-c:v mpeg2video -output_ts_offset'.split(' '),
        offset,
        '-f',
        format,
      ),
    )
    const path = join(t.folder, `gap.${format}`)
    const files = await Promise.all(parts)
    await writeFile(path, Buffer.concat(await Promise.all(files.map((one) => readFile(one)))))
    expect((await probeSource(path, { signal })).video.frameRate).toBe('25/1')
  },
)

it('the title of an audio track is one line without control characters, and cut between characters', async () => {
  const titles = ['A\u0001B\nC', `x${'😀'.repeat(60)}`, '\u0001']
  const named = titles.flatMap((title, at) => [`-metadata:s:a:${at}`, `title=${title}`])
  const sound = [...tone(0.2), '-map', '0', ...'-map 1 -map 1 -map 1 -c:a mp2 -ac 1'.split(' ')]
  const path = await make('titles.mkv', ...picture('64x36', 5, 0.2), ...sound, ...named, ...H264)
  const { audio } = await probeSource(path, { signal })
  expect(audio.map(({ title }) => title)).toEqual(['A B C', `x${'😀'.repeat(49)}`, null])
})

describe('of several audio tracks, the main one comes first', () => {
  /** Makes a file whose tracks have these languages, dispositions and titles, and reads it. */
  async function tracksOf(name: string, tracks: [string, string, string?][]) {
    const marks = tracks.flatMap(([language, disposition, title], at) => [
      `-metadata:s:a:${at}`,
      `language=${language}`,
      `-disposition:a:${at}`,
      disposition,
      ...(title === undefined ? [] : [`-metadata:s:a:${at}`, `title=${title}`]),
    ])
    const sound = [...tone(0.2), '-map', '0', ...tracks.flatMap(() => ['-map', '1'])]
    const codecs = [...H264, ...'-c:a mp2 -ac 1'.split(' ')]
    const path = await make(name, ...picture('64x36', 5, 0.2), ...sound, ...marks, ...codecs)
    const { audio } = await probeSource(path, { signal })
    return audio.map(({ language, purpose }) => [language, purpose].filter(Boolean).join(' '))
  }

  it.each<[string, string, [string, string, string?][], string[]]>([
    [
      'the default one',
      'default.mkv',
      [
        ['fre', '0'],
        ['ger', 'default'],
        ['jpn', '0'],
      ],
      ['de', 'fr', 'ja'],
    ],
    [
      'the default one of an MP4',
      'default.mp4',
      [
        ['fre', '0'],
        ['ger', 'default'],
      ],
      ['de', 'fr'],
    ],
    [
      'no audio description, even if it is the default',
      'described.mkv',
      [
        ['eng', 'default+visual_impaired'],
        ['ger', '0'],
      ],
      ['de', 'en description'],
    ],
    [
      'no audio description, which a transport stream marks',
      'described.ts',
      [
        ['eng', 'visual_impaired'],
        ['eng', '0'],
      ],
      ['en', 'en description'],
    ],
    [
      'no track whose title says that it is an audio description',
      'titled.mkv',
      [
        ['ger', 'default', 'Deutsch (Audiodeskription)'],
        ['ger', '0', 'Stereo'],
      ],
      ['de', 'de description'],
    ],
    [
      'no commentary, no clear speech, and no dubbed audio, if there is another',
      'marked.mkv',
      [
        ['eng', 'comment'],
        ['eng', 'hearing_impaired'],
        ['ger', 'dub'],
        ['fre', '0'],
      ],
      ['fr', 'en commentary', 'en clear-speech', 'de dub'],
    ],
    ['the only one, whatever it is', 'alone.mkv', [['eng', 'visual_impaired']], ['en description']],
  ])('%s', async (_, name, tracks, expected) => {
    expect(await tracksOf(name, tracks)).toEqual(expected)
  })
})

it('of 18 audio tracks, the first 16 are played', async () => {
  const tracks = '-map 1 '.repeat(18).trim().split(' ')
  const sound = [...tone(0.2), '-map', '0', ...tracks, '-c:a', 'mp2', '-b:a', '32k', '-ac', '1']
  const path = await make('many.mkv', ...picture('64x36', 5, 0.2), ...sound, ...H264)
  const { audio, warnings } = await probeSource(path, { signal })
  expect(audio).toHaveLength(16)
  expect(warnings).toEqual([{ code: 'audio_tracks_dropped', count: 2 }])
})
