import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { startGuard } from '../../scripts/embedded/guard.ts'
import { createStorage, type ObjectStorage } from '../../storage/object-storage.ts'
import { startService, type RunningService } from '../../test/fixtures/running-service.ts'
import { makeSource } from '../../test/fixtures/sources.ts'
import { openOutsideHost, type OutsideHost } from '../../test/infrastructure/outside-host.ts'
import { createS3, s3SettingsOf } from '../../test/infrastructure/s3.ts'

interface FairnessService {
  service: RunningService
  /** Serves a small video as `tiny.mp4`. */
  host: OutsideHost
  /** Where the service keeps its objects. */
  storage: ObjectStorage
  /** Of the service's Temporal. */
  client: Client
}

/** Starts a whole service on an S3 server, calls `measure`, and removes both. */
export async function withFairnessService<T>(
  measure: (parts: FairnessService) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-fairness-'))
  const source = join(folder, 'tiny.mp4')
  await makeSource(source, { seconds: 2, size: '426x240', rate: 12, grain: false })
  const guard = startGuard()
  const s3 = createS3(folder, guard)
  const bucket = await s3.createBucket()
  const host = await openOutsideHost(folder, { 'tiny.mp4': source, 'slow.mp4': source })
  const service = await startService(join(folder, 'data'), {
    ...s3SettingsOf(bucket),
    EGRESS_CA_FILE: host.caFile,
    LOG_LEVEL: 'warn',
  })
  const connection = await Connection.connect({ address: service.temporal })
  try {
    const storage = createStorage({ ...bucket, driver: 's3' })
    return await measure({ service, host, storage, client: new Client({ connection }) })
  } finally {
    await connection.close()
    await service.crash()
    await host.close()
    await s3.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
