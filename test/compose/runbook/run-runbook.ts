import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chown } from 'node:fs/promises'
import type { Installation } from '../installation.ts'
import type { PublicHosts } from '../journey.ts'
import type { Site } from '../site.ts'
import { AUTHORITIES, openAlerts } from './alerts.ts'
import { CHANGE_SITUATIONS } from './change-situations.ts'
import type { Drill, Situation } from './drill.ts'
import { openRunbook } from './drill.ts'
import { SERVICE_SITUATIONS } from './service-situations.ts'
import { VIDEO_SITUATIONS } from './video-situations.ts'

const SITUATIONS: Record<string, Situation> = {
  ...VIDEO_SITUATIONS,
  ...SERVICE_SITUATIONS,
  ...CHANGE_SITUATIONS,
}

interface RunbookOptions {
  /** The situations that are made; all of them if it is empty. */
  titles: string[]
  step: (title: string, work: () => Promise<void>) => Promise<void>
}

/**
 * Makes every situation of `docs/runbook.md` that has commands, runs these, and sees that it is over. Each alert of
 * `deploy/monitoring` must have fired. Throws at the first situation that stays, or when one was left out. With `titles`
 * only these are made, and any alerts may fire.
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
  const alerts = await openAlerts(installation)
  try {
    const { follow, left } = openRunbook(installation, backups)
    const drill: Drill = { installation, hosts, site, alerts, backups, follow }
    await alerts.cease()
    for (const [title, situation] of chosen(titles))
      await step(title, async () => {
        await situation(drill)
        await alerts.cease()
      })
    if (titles.length > 0) return
    if (left().length > 0) throw new Error(`not tried: ${left().join(', ')}`)
    if (alerts.unseen().length > 0) throw new Error(`never fired: ${alerts.unseen().join(', ')}`)
  } finally {
    await alerts.close()
  }
}

function chosen(titles: string[]): [string, Situation][] {
  const unknown = titles.filter((title) => !(title in SITUATIONS))
  if (unknown.length > 0) throw new Error(`no such situations: ${unknown.join(', ')}`)
  return Object.entries(SITUATIONS).filter(
    ([title]) => titles.length === 0 || titles.includes(title),
  )
}
