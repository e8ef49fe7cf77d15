import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { waitFor } from '../../infrastructure/wait-for.ts'
import { PROMETHEUS_IMAGE } from '../images.ts'
import { DOMAINS, GATEWAY, type Installation } from '../installation.ts'
import { openCertificateExporter } from './certificate-exporter.ts'
import { alertNames, hurriedConfiguration, hurriedRules } from './hurry.ts'

const EXPORTER_PORT = 9115
const ALERT_MS = 300_000
/** A file in `drm-files/`, which containers see. */
export const AUTHORITIES = 'authorities.pem'
const FOLDER = 'prometheus'
const ADDRESS = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}'

const responseSchema = z.object({
  data: z.object({
    alerts: z.array(
      z.object({ labels: z.looseObject({ alertname: z.string() }), state: z.string() }),
    ),
  }),
})

/** The alerts of a real Prometheus in the network of the containers. */
export interface Alerts {
  /** Waits until the alerts fire. */
  fire: (...names: string[]) => Promise<void>
  /** Waits until none fires but that of certificates: those of Caddy's own authority are short. */
  cease: () => Promise<void>
  /** Alerts of the rules that have not fired yet. */
  unseen: () => string[]
  close: () => void
}

/** What is beside the services of docker-compose.yml. */
export const DRILL_SERVICES = {
  // `doctor` and `verify-receiver` trust the authorities of Node.
  api: { environment: { NODE_EXTRA_CA_CERTS: `/etc/reelgate/drm/${AUTHORITIES}` } },
  prometheus: {
    image: PROMETHEUS_IMAGE,
    networks: ['app'],
    // Docker asks it for names of services that do not run; without it, Prometheus keeps their last addresses.
    dns: [GATEWAY],
    read_only: true,
    tmpfs: ['/tmp:mode=1777,size=256m'],
    volumes: [`./${FOLDER}:/etc/prometheus:ro`],
  },
}

const CERTIFICATES = 'ReelgateCertificateEnds'

/** Writes the files of Prometheus into the folder of the installation: those of `deploy/`, with hours as seconds. */
export function writeMonitoring({ folder }: Installation): void {
  const urls = Object.values(DOMAINS).map((domain) => `https://${domain}/healthz`)
  const files = {
    'alert-rules.yml': hurriedRules(),
    'prometheus.yml': hurriedConfiguration(`${GATEWAY}:${EXPORTER_PORT}`, urls),
  }
  mkdirSync(join(folder, FOLDER))
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, FOLDER, name), JSON.stringify(content))
}

/** Follows the alerts of Prometheus. */
export async function openAlerts({ shell }: Installation): Promise<Alerts> {
  const closeExporter = await openCertificateExporter(EXPORTER_PORT)
  const seen = new Set<string>()
  const firing = async (): Promise<string[]> => {
    // Its address changes when a situation removes all containers.
    const address = await shell(`docker inspect -f '${ADDRESS}' reelgate-prometheus-1`)
    const response = await fetch(`http://${address}:9090/api/v1/alerts`).catch(() => null)
    if (!response?.ok) return []
    const { data } = responseSchema.parse(await response.json())
    const names = data.alerts.filter(({ state }) => state === 'firing')
    return names.map(({ labels }) => labels.alertname)
  }
  return {
    async fire(...names) {
      for (const name of names) {
        await waitFor(`the alert ${name}`, async () => (await firing()).includes(name), ALERT_MS)
        seen.add(name)
        process.stdout.write(`  fires: ${name}\n`)
      }
    },
    cease: async () =>
      void (await waitFor(
        'the end of the alerts',
        async () => (await firing()).every((name) => name === CERTIFICATES),
        ALERT_MS,
      )),
    unseen: () => alertNames().filter((name) => !seen.has(name)),
    close: closeExporter,
  }
}
