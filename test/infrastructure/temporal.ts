import { join } from 'node:path'
import { ensureTemporalServer } from '../../scripts/bootstrap/tools.mjs'
import type { Guard } from '../../scripts/embedded/guard.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { openRotatingLog } from '../../scripts/embedded/rotating-log.ts'
import { startTemporal } from '../../scripts/embedded/temporal.ts'
import { lazily } from './lazily.ts'

/** The real Temporal server, without its Web UI, started at the first request. */
export function createTemporal(dataDir: string, guard: Guard) {
  const service = lazily(async () =>
    startTemporal({
      program: await ensureTemporalServer(),
      dataDir,
      port: await freePort(),
      uiPort: null,
      log: openRotatingLog(join(dataDir, 'temporal.log')),
      guard,
    }),
  )
  return {
    address: async () => ({ address: (await service.get()).address }),
    stop: service.stop,
  }
}
