import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { waitFor } from '../../infrastructure/wait-for.ts'
import type { Installation } from '../installation.ts'
import { awaitApi } from '../journey.ts'
import type { Drill } from './drill.ts'

/**
 * Makes an installation one that has been in use, by the runbook itself: its master key has been changed, and its
 * PostgreSQL restored into an empty volume, as after a failed drive. It has a video and deliveries from before.
 */
export async function useInstallation(drill: Drill): Promise<void> {
  await changeMasterKey(drill)
  await drill.follow('A new major version of PostgreSQL')
  await awaitApi(drill.hosts)
}

/** Follows the change of the master key to its end. Throws unless only the next version is left. */
export async function changeMasterKey({ installation, hosts, follow }: Drill): Promise<void> {
  const before = masterKeyVersion(installation)
  const pause = async (): Promise<void> => {
    await waitFor('the end of the rotation', () => isSealed(installation))
    await installation.shell(
      `docker compose exec postgres psql -U postgres -d reelgate -c "${AGED}"`,
    )
  }
  await follow('The master key may be known to others', {}, { pause })
  const after = masterKeyVersion(installation)
  process.stdout.write(`  master key: version ${before}, then ${after}\n`)
  if (after !== before + 1) throw new Error('the master key has not the next version')
  await awaitApi(hosts)
}

/** As ten minutes after the last restart. */
const AGED = `update master_key_holder set started_at = now() - interval '11 minutes'`

const statusSchema = z.object({ percent: z.int() })

async function isSealed({ reelgate }: Installation): Promise<boolean> {
  const status: unknown = JSON.parse(await reelgate('master-key', 'status', '--json'))
  return statusSchema.parse(status).percent === 100
}

/** Returns the version of the only key in the file of the installation; 1 for one without a version. */
function masterKeyVersion({ folder }: Installation): number {
  const keys = readFileSync(join(folder, 'secrets/master_key'), 'utf8').trim()
  const [, version = '1'] = /^(?:(\d+):)?[0-9a-f]{64}$/.exec(keys) ?? []
  if (keys.includes(',')) throw new Error('the file has more than one master key')
  return Number(version)
}
