import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { startService, type RunningService } from '../../test/fixtures/running-service.ts'
import { openOutsideHost } from '../../test/infrastructure/outside-host.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'

/** A service that has ingested a short source already, because it compiles its code during the first. */
export interface IngestBench {
  running: RunningService
  /** The link to the source that is measured. */
  longUrl: string
  close(): Promise<void>
}

const WARM_WITHIN_MS = 120_000

/** Starts a service and a host of the source. The state of both is in `folder`. */
export async function openIngest(
  folder: string,
  source: string,
  env: Record<string, string> = {},
): Promise<IngestBench> {
  await mkdir(folder, { recursive: true })
  const short = join(folder, 'short.mp4')
  await execa('ffmpeg', ['-loglevel', 'error', '-i', source, '-t', '2', '-c', 'copy', short])
  const host = await openOutsideHost(folder, { 'long.mp4': source, 'short.mp4': short })
  const running = await startService(join(folder, 'data'), {
    EGRESS_CA_FILE: host.caFile,
    LOG_LEVEL: 'warn',
    ...env,
  })
  await warmUp(running, `${host.baseUrl}/files/short.mp4`)
  return {
    running,
    longUrl: `${host.baseUrl}/files/long.mp4`,
    async close() {
      await running.stop()
      await host.close()
    },
  }
}

async function warmUp(service: RunningService, source_url: string): Promise<void> {
  const created = await service.request('POST', '/v1/videos', { source_url })
  const { id } = (await created.json()) as { id: string }
  await waitFor(
    'the end of the first ingest',
    async () => {
      const response = await service.request('GET', `/v1/videos/${id}/status`)
      return ((await response.json()) as { status: string }).status === 'ready'
    },
    WARM_WITHIN_MS,
  )
}
