import { open } from 'node:fs/promises'
import { makeSource } from '../../fixtures/sources.ts'
import { addVideos, untilAll, type Scenario } from './scenario.ts'

const ACCOUNTS = 2
const VIDEOS_PER_ACCOUNT = 4
/** The disk holds three of them at most (`../service/scratch.ts`). */
const SOURCE_BYTES = 70 * 2 ** 20

/** Adds a box that players skip (ISO 14496-12, "Free Space Box") until the file has `SOURCE_BYTES`. */
async function pad(path: string): Promise<void> {
  const file = await open(path, 'a')
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(8)
    head.writeUInt32BE(SOURCE_BYTES - size)
    head.write('free', 4, 'latin1')
    await file.write(head)
    await file.truncate(SOURCE_BYTES)
  } finally {
    await file.close()
  }
}

/** Downloads of more than the scratch disk holds begin at the same time. */
export const diskOfDownloads: Scenario = {
  name: 'disk-of-downloads',
  title: 'a scratch disk that holds three of eight downloads',
  needsRoot: true,
  options: {
    accounts: ACCOUNTS,
    async makeVideo(path) {
      await makeSource(path, { seconds: 2, size: '426x240', rate: 12, grain: false })
      await pad(path)
    },
  },
  async run(record) {
    await addVideos(record, '/files/lesson.mp4', VIDEOS_PER_ACCOUNT)
    await untilAll(record, ['ready'])
  },
}
