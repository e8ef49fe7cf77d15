import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { startDnsServer } from '../../infrastructure/dns-server.ts'
import { GATEWAY, type Installation } from '../installation.ts'
import type { PublicHosts } from '../journey.ts'
import type { Site } from '../site.ts'
import { AUTHORITIES, openAlerts } from './alerts.ts'
import { CHANGE_SITUATIONS } from './change-situations.ts'
import { openRunbook, type Drill, type Situation } from './drill.ts'
import { FULL, SERVICE_SITUATIONS, setWritable } from './service-situations.ts'
import { useInstallation } from './use-installation.ts'
import { VIDEO_SITUATIONS } from './video-situations.ts'
import { VIEWER_SITUATIONS } from './viewer-situations.ts'

export const SITUATIONS: Record<string, Situation> = {
  ...VIDEO_SITUATIONS,
  ...SERVICE_SITUATIONS,
  ...CHANGE_SITUATIONS,
  ...VIEWER_SITUATIONS,
}

interface RunbookOptions {
  /** The situations that are made; all of them if it is empty. */
  titles: string[]
  step: (title: string, work: () => Promise<void>) => Promise<void>
}

/**
 * Makes every situation of `docs/runbook.md` on an installation that has been in use, runs its commands, and sees that
 * it is over. Each alert of `deploy/monitoring` must have fired. Throws when situations have stayed or were left out. With
 * `titles` only these are made, and any alerts may fire.
 */
export async function runRunbook(
  installation: Installation,
  hosts: PublicHosts,
  site: Site,
  { titles, step }: RunbookOptions,
): Promise<void> {
  const backups = join(installation.folder, 'backups')
  mkdirSync(backups)
  // The user of the image.
  await chown(backups, 1000, 1000)
  const authorities = [readFileSync(site.caFile, 'utf8'), hosts.caddyAuthority].join('\n')
  writeFileSync(join(installation.folder, 'drm-files', AUTHORITIES), authorities)
  const dns = await startDnsServer(GATEWAY, 53)
  const alerts = await openAlerts(installation)
  try {
    const { follow, left } = openRunbook(installation, backups)
    const drill: Drill = { installation, hosts, site, alerts, dns, backups, follow }
    await step('use the installation', () => useInstallation(drill))
    await alerts.cease()
    const stayed: string[] = []
    for (const [title, situation] of chosen(titles))
      await step(title, async () => {
        await situation(drill)
        await alerts.cease()
      }).catch(async (error: unknown) => {
        process.stdout.write(`✗ ${title}: ${String(error)}\n`)
        stayed.push(title)
        await takeBack(drill)
      })
    if (stayed.length > 0) throw new Error(`not over: ${stayed.join(', ')}`)
    if (titles.length > 0) return
    if (left().length > 0) throw new Error(`not tried: ${left().join(', ')}`)
    if (alerts.unseen().length > 0) throw new Error(`never fired: ${alerts.unseen().join(', ')}`)
  } finally {
    alerts.close()
    await dns.close()
  }
}

/** Takes back what a situation has changed that is not over, so that the next ones can be made. */
async function takeBack({ installation, site, dns }: Drill): Promise<void> {
  site.setDown(false)
  site.setKeysRefused(false)
  dns.setSilent(false)
  await setWritable(installation, true)
  const up = 'docker compose unpause || true; docker compose up -d --wait'
  await installation.shell(`${up}; docker compose exec -T worker rm -f ${FULL}`)
}

function chosen(titles: string[]): [string, Situation][] {
  const unknown = titles.filter((title) => !(title in SITUATIONS))
  if (unknown.length > 0) throw new Error(`no such situations: ${unknown.join(', ')}`)
  return Object.entries(SITUATIONS).filter(
    ([title]) => titles.length === 0 || titles.includes(title),
  )
}
