import { waitFor } from '../../infrastructure/wait-for.ts'
import { awaitStatus, callApi, createVideo } from '../journey.ts'
import type { PublicHosts } from '../journey.ts'
import type { Installation } from '../installation.ts'
import type { Situation } from './drill.ts'

/** Situations of processes and of what they need, by their titles in the runbook. */
export const SERVICE_SITUATIONS: Record<string, Situation> = {
  async 'A process does not respond'({ installation, alerts, follow }) {
    await installation.compose('pause', 'dashboard')
    await alerts.fire('ReelgateProcessDown')
    await installation.compose('unpause', 'dashboard')
    await installation.compose('stop', 'dashboard')
    await alerts.fire('ReelgateProcessMissing')
    await follow('A process does not respond')
  },

  async 'A disk is full'({ installation, hosts, site, alerts, follow }) {
    const inWorker = (...command: string[]) =>
      installation.compose('exec', '-T', 'worker', ...command)
    const file = '/var/lib/reelgate/full'
    await inWorker('sh', '-c', `dd if=/dev/zero of=${file} bs=1M || true`)
    const { id } = await createVideo(hosts, site.sourceUrl)
    await alerts.fire('ReelgateDiskNearlyFull')
    await inWorker('rm', file)
    await follow('A disk is full')
    await awaitStatus(hosts, id, 'ready')
  },

  async 'PostgreSQL is away'({ installation, hosts, alerts, follow }) {
    await installation.compose('stop', 'postgres')
    const requests = setInterval(() => void list(hosts).catch(() => {}), 200)
    try {
      await alerts.fire('ReelgateServerErrors', 'ReelgateValuesMissing')
    } finally {
      clearInterval(requests)
    }
    await follow('PostgreSQL is away')
    await awaitApi(hosts)
  },

  async 'Temporal is away, or its database is lost'({ hosts, site, follow }) {
    const { id } = await createVideo(hosts, site.filmUrl)
    await awaitStatus(hosts, id, 'playable')
    await follow('Temporal is away, or its database is lost')
    await awaitStatus(hosts, id, 'ready')
  },

  async 'Object storage is away'({ installation, hosts, site, alerts, follow }) {
    await setWritable(installation, false)
    const { id } = await createVideo(hosts, site.sourceUrl)
    await alerts.fire('ReelgatePublishFailures')
    await setWritable(installation, true)
    await installation.compose('stop', 's3')
    await alerts.fire('ReelgatePartAway')
    await follow('Object storage is away')
    await awaitStatus(hosts, id, 'ready')
    // Situation 2 has set WORKERS to 2.
    const workers = await installation.compose('ps', '--quiet', 'worker')
    if (workers.trim().split('\n').length !== 2) throw new Error(`running workers:\n${workers}`)
  },

  async 'A certificate has expired'({ hosts, alerts, follow }) {
    // Those of Caddy's own authority last for hours.
    await alerts.fire('ReelgateCertificateEnds')
    await follow('A certificate has expired')
    await awaitApi(hosts)
  },

  async 'The provider of DRM is away'({ installation, follow }) {
    const report = await follow('The provider of DRM is away').catch(
      (error: Error) => error.message,
    )
    if (!report.includes('DRM_LICENCE_PROVIDER'))
      throw new Error(`the report does not name the missing setting:\n${report}`)
    await installation.compose('ps')
  },
}

/** Lets the storage take objects of videos, or refuse them as on a full disk. Sources are stored in either case. */
const setWritable = ({ shell }: Installation, isWritable: boolean): Promise<string> =>
  shell(`folder=$(docker volume inspect -f '{{.Mountpoint}}' reelgate_objects)/reelgate
    install -d -o 1000 "$folder/videos" && chown ${isWritable ? 1000 : 0} "$folder/videos"`)

const list = (hosts: PublicHosts): Promise<unknown> => callApi(hosts, '/v1/videos?limit=1')

/** Waits until the API responds through Caddy. */
export const awaitApi = (hosts: PublicHosts): Promise<unknown> =>
  waitFor('the API', () =>
    list(hosts).then(
      () => true,
      () => false,
    ),
  )
