import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NICENESS, PRIORITIES } from '../../domain/ingest/ingest-priority.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { H264, picture, tone } from '../../test/fixtures/media-files.ts'
import { putSource } from '../../test/fixtures/stored-source.ts'
import { recordNiceness, type NicenessRecord } from '../../test/fixtures/tool-niceness.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'
import { createEncodeActivities } from './encode-activities.ts'

let fixture: IngestFixture
let record: NicenessRecord

beforeAll(async () => {
  fixture = await openIngestFixture()
  record = await recordNiceness()
})

afterAll(async () => {
  await record.stop()
  await fixture.close()
})

it('every tool of a video of a backlog yields the processor: to probe, encode, encrypt and picture it', async () => {
  const path = join(fixture.folder, 'subtitled.mkv')
  const subtitles = ['-f', 'srt', '-i', 'pipe:0', '-map', '0', '-map', '1', '-map', '2']
  const words = '1\n00:00:00,000 --> 00:00:01,000\nhello\n'
  await execa('ffmpeg', [...picture('320x240', 10), ...tone(), ...subtitles, ...H264, path], {
    input: words,
  })
  const input = await fixture.addVideo()
  await putSource(fixture.deps, input.videoId, path)
  const ingest = createIngestActivities(fixture.deps)
  const encode = createEncodeActivities(fixture.deps)
  const priority = { priorityKey: PRIORITIES.backlog }
  const run = <Input, Result>(
    activity: (input: Input) => Promise<Result>,
    given: Input,
  ): Promise<Result> => runActivity(activity, given, { priority })

  const { facts, rungs, audio, chunks: plan } = await run(ingest.prepareEncoding, input)
  if (!plan) throw new Error('the plan has no chunks')
  const shared = { ...input, audioNames: audio.map(({ name }) => name) }
  for (const track of audio) await run(encode.encodeAudio, { ...shared, facts, track })
  const chunk = { ...shared, picture: facts, rungs, isFirst: true, plan, index: 0 }
  await run(encode.encodeChunk, chunk)
  await run(ingest.finishVideo, { ...input, facts })

  expect((await fixture.video(input.videoId)).status).toBe('ready')
  const tools = await record.tools()
  // One encode, the tiles, poster, frames, storyboard, placeholders, subtitles and the audio; each rendition is packaged.
  expect(tools.filter((tool) => tool.startsWith('ffmpeg')).length).toBeGreaterThanOrEqual(8)
  const yields = new RegExp(`^(ffmpeg|ffprobe|packager-\\S+) ${NICENESS.background}$`)
  expect(tools.filter((tool) => !yields.test(tool))).toEqual([])
  expect(new Set(tools).size).toBe(3)
})
