import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSource } from '../../fixtures/sources.ts'
import { addVideos, untilAll, type Scenario } from './scenario.ts'

/** Temporal loses its store, and the machine its scratch disk, after the links of the running ingests have expired. */
export const temporalLost: Scenario = {
  name: 'temporal-lost',
  title: "Temporal's store and the scratch disk lost while the links have expired",
  needsRoot: false,
  options: {
    accounts: 2,
    makeVideo: (path) => makeSource(path, { seconds: 10, size: '640x360' }),
  },
  async run(record, tell) {
    const { world } = record
    await addVideos(record, '/files/lesson.mp4', 2)
    await untilAll(record, ['processing', 'playable', 'ready'])
    world.integrator.expireLinks()
    await world.loseTemporal()
    world.parts.worker.kill()
    const work = join(world.folder, 'work')
    for (const name of await readdir(work)) await rm(join(work, name), { recursive: true })
    tell('the links have expired, and the store of Temporal is lost')
    await untilAll(record, ['ready'])
  },
}
