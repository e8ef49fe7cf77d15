import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from '../../../scripts/bootstrap/tools.mjs'
import { GATEWAY, type Installation } from '../installation.ts'
import { awaitApi, awaitStatus, createVideo, listVideos, makeAccount } from '../journey.ts'
import { SITE_NAME } from '../site.ts'
import type { Drill, Situation } from './drill.ts'

/** Situations of processes and of what they need, by their titles in the runbook. */
export const SERVICE_SITUATIONS: Record<string, Situation> = {
  async 'A process does not respond'(drill) {
    const { installation, alerts, follow } = drill
    await installation.compose('pause', 'dashboard')
    await alerts.fire('ReelgateProcessDown')
    await installation.compose('unpause', 'dashboard')
    await installation.compose('stop', 'dashboard')
    await alerts.fire('ReelgateProcessMissing')
    await follow('A process does not respond')
    await loseNetwork(drill)
    await useUpIds(drill)
  },

  async 'A disk is full'({ installation, hosts, site, alerts, follow }) {
    const inWorker = (...command: string[]) =>
      installation.compose('exec', '-T', 'worker', ...command)
    await inWorker('sh', '-c', `dd if=/dev/zero of=${FULL} bs=1M || true`)
    const { id } = await createVideo(hosts, site.sourceUrl)
    await alerts.fire('ReelgateDiskNearlyFull')
    await inWorker('rm', FULL)
    await follow('A disk is full')
    await awaitStatus(hosts, id, 'ready')
  },

  async 'PostgreSQL is away'({ installation, hosts, alerts, follow }) {
    await installation.compose('stop', 'postgres')
    const requests = setInterval(() => void listVideos(hosts).catch(() => {}), 200)
    try {
      await alerts.fire('ReelgateServerErrors', 'ReelgateValuesMissing')
    } finally {
      clearInterval(requests)
    }
    await follow('PostgreSQL is away')
    await awaitApi(hosts)
  },

  async 'Temporal is away, or its database is lost'({ hosts, site, follow }) {
    const { id } = await createVideo(hosts, site.videoUrl)
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

  async 'The provider of DRM is away'({ installation, hosts, site, alerts, follow }) {
    const apiKey = await makeAccount(installation, 'multi-drm')
    site.setKeysRefused(true)
    const { id } = await createVideo({ ...hosts, apiKey }, site.sourceUrl)
    await alerts.fire('ReelgateKeyServerFails')
    const report = await follow('The provider of DRM is away').catch(
      (error: Error) => error.message,
    )
    if (!/401/.test(report)) throw new Error(`the report does not say what is refused:\n${report}`)
    site.setKeysRefused(false)
    await awaitStatus({ ...hosts, apiKey }, id, 'ready')
  },

  async 'A clock is wrong'({ installation, hosts, site, alerts, follow }) {
    const files = join(installation.folder, 'drm-files')
    const setClock = (ms: number) => writeFileSync(join(files, 'clock-step'), String(ms))
    cpSync(join(projectDir, 'test/chaos/service/stepped-clock.ts'), join(files, 'stepped-clock.ts'))
    setClock(0)
    writeFileSync(join(installation.folder, 'clock.yml'), JSON.stringify(STEPPED_CLOCK))
    await installation.shell(`docker compose ${FILES} -f clock.yml up -d --wait worker`)
    setClock(3_600_000)
    await alerts.fire('ReelgateClockOff')
    const report = await follow('A clock is wrong').catch((error: Error) => error.message)
    if (!/worker .*ahead/.test(report)) throw new Error(`the doctor names no worker:\n${report}`)
    const { id } = await createVideo(hosts, site.sourceUrl)
    setClock(0)
    await awaitStatus(hosts, id, 'ready')
    await installation.shell('docker compose up -d --wait')
  },
}

/** A file that fills the disk of the workers. */
export const FULL = '/var/lib/reelgate/full'

/** Lets the storage take objects of videos, or refuse them as on a full disk. Sources are stored in either case. */
export const setWritable = ({ shell }: Installation, isWritable: boolean): Promise<string> =>
  shell(`folder=$(docker volume inspect -f '{{.Mountpoint}}' reelgate_objects)/reelgate
    install -d -o 1000 "$folder/videos" && chown ${isWritable ? 1000 : 0} "$folder/videos"`)

/** The `Date` of each worker differs by what a file says. */
const STEPPED_CLOCK = {
  services: {
    worker: {
      environment: {
        NODE_OPTIONS: '--no-warnings --import /etc/reelgate/drm/stepped-clock.ts',
        CLOCK_STEP_FILE: '/etc/reelgate/drm/clock-step',
      },
    },
  },
}
const FILES = '-f docker-compose.yml -f docker-compose.override.yml'

/** Lets the resolver of the workers be silent, until the alert fires. The API looked the links up before. */
async function loseNetwork({ installation, hosts, site, dns, alerts }: Drill): Promise<void> {
  const { compose, shell } = installation
  dns.set(SITE_NAME, [GATEWAY])
  await shell(`EGRESS_DNS_SERVERS=${GATEWAY} docker compose up -d --wait api worker`)
  await compose('stop', 'worker')
  const links = Array.from({ length: 6 }, () => createVideo(hosts, site.namedSourceUrl))
  const videos = await Promise.all(links)
  dns.setSilent(true)
  await compose('start', 'worker')
  await alerts.fire('ReelgateNetworkAway')
  dns.setSilent(false)
  for (const { id } of videos) await awaitStatus(hosts, id, 'ready')
  await shell('docker compose up -d --wait')
}

/** Lets a sequence have given more than half of its ids, until the alert fires. */
async function useUpIds({ installation, hosts, alerts }: Drill): Promise<void> {
  const set = (value: string) =>
    installation.shell(`docker compose exec -T postgres psql -U postgres -d reelgate -Atc "
      select last_value, setval('account_id_seq', ${value}, true) from account_id_seq" | cut -d '|' -f 1
      docker compose restart api`)
  // The API reads them every ten minutes, and when it starts.
  const before = await set('1500000000')
  await alerts.fire('ReelgateIdsRunOut')
  await set(before.trim())
  await awaitApi(hosts)
}
