import { parsePartKey } from '../../../domain/videos/media-paths.ts'
import { paths } from '../../../player/server/paths.ts'
import { makeSource } from '../../fixtures/sources.ts'
import { findRows, type ServiceRecord } from '../service/judge.ts'
import { addVideos, untilAll, type Scenario } from './scenario.ts'

/** How long a viewer waits for a segment whose first request to the storage never gets a response. */
const WAIT_MAX_MS = 10_000
const VIEWERS = 5

/** Returns the address of the first segment of each rendition of a video. */
async function segmentUrls({ world, db }: ServiceRecord): Promise<string[]> {
  const rows = await findRows<{ id: string; name: string }>(
    { db },
    'select video_id as id, name from rendition',
  )
  return rows.map(({ id, name }) => `${world.player}${paths.rendition(id, name)}/1.m4s`)
}

/** Resolves to the size of a segment. Throws if it does not arrive in time. */
async function load(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(WAIT_MAX_MS) })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return (await response.arrayBuffer()).byteLength
}

/** Several viewers load a segment whose first request to the storage never gets a response. */
export const storageSilent: Scenario = {
  name: 'storage-silent',
  title: 'an S3 response that never comes',
  needsRoot: false,
  options: {
    accounts: 1,
    makeVideo: (path) => makeSource(path, { seconds: 10, size: '640x360' }),
  },
  async run(record, tell) {
    const { s3 } = record.world
    await addVideos(record, '/files/lesson.mp4', 1)
    await untilAll(record, ['ready'])
    for (const url of await segmentUrls(record)) {
      const swallowed = s3.swallowRead((key) => parsePartKey(key) !== null)
      const startedAtMs = performance.now()
      const sizes = await Promise.all(Array.from({ length: VIEWERS }, () => load(url)))
      await swallowed
      if (new Set(sizes).size !== 1) throw new Error(`${url}: sizes ${sizes.join()}`)
      const seconds = (performance.now() - startedAtMs) / 1e3
      tell(`${VIEWERS} viewers have the segment after ${seconds.toFixed(1)} s`)
    }
  },
}
