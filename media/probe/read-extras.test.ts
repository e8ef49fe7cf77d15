import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { H264, picture, setUpMediaFixture, signal } from '../../test/fixtures/media-files.ts'
import { recordNiceness } from '../../test/fixtures/tool-niceness.ts'
import { readExtras } from './read-extras.ts'

const t = setUpMediaFixture()

it('the titles of chapters and subtitles are lines without control characters, and cut between characters', async () => {
  const long = `x${'😀'.repeat(200)}`
  const chapter = (start: number, title: string) =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${start + 1000}\ntitle=${title}\n`
  const metadata = join(t.folder, 'chapters.txt')
  await writeFile(metadata, `;FFMETADATA1\n${chapter(0, 'A\u0001B')}${chapter(1000, long)}`)
  const subtitles = join(t.folder, 'words.srt')
  await writeFile(subtitles, '1\n00:00:00,000 --> 00:00:01,000\nhello\n')
  const inputs = ['-i', metadata, '-i', subtitles, '-map', '0', '-map', '2', '-map_chapters', '1']
  const named = ['-metadata:s:s:0', 'title=C\u0002D']
  const path = await t.make('named.mkv', ...picture('64x36', 5), ...inputs, ...named, ...H264)
  const { chapters, captions } = await readExtras(path, t.folder, { signal })
  expect(chapters.map(({ title }) => title)).toEqual(['A B', `x${'😀'.repeat(127)}`])
  expect(captions.map(({ label }) => label)).toEqual(['C D'])
})

it('the tools yield the processor as far as their step does, so that none with a place for what people wait for is slow', async () => {
  const subtitles = join(t.folder, 'one.srt')
  await writeFile(subtitles, '1\n00:00:00,000 --> 00:00:01,000\nhello\n')
  const path = await t.make('one.mkv', ...picture('64x36', 5), '-i', subtitles, ...H264)
  const record = await recordNiceness()
  try {
    const { captions } = await readExtras(path, t.folder, { signal, niceness: 3 })
    expect(captions).toHaveLength(1)
    expect(await record.tools()).toEqual(['ffprobe 3', 'ffmpeg 3'])
  } finally {
    await record.stop()
  }
})
