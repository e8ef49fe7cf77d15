import type { Config } from '../../../config/config.ts'
import { DRM_SYSTEM_NAMES } from '../../../domain/drm/drm-system.ts'
import type { Egress } from '../../../egress/egress.ts'
import { checkCertificate } from './certificates.ts'
import { examine, notChecked, type DrmFinding } from './finding.ts'
import { askForKeys, compareSignalling, describeKeys } from './keys.ts'
import {
  checkServer,
  compareClocks,
  describeServers,
  openServers,
  reach,
  reachLicences,
  type Reached,
} from './licence-servers.ts'
import { packageVideo } from './video.ts'

/**
 * Tries out Multi-DRM as it is configured: keys and a video of two seconds, then licence servers, certificates and
 * clocks. Asks for no licence that a viewer could use, and stores nothing.
 */
export async function examineDrm(config: Config, egress: Egress): Promise<DrmFinding[]> {
  const keys = await examineKeys(config, egress)
  return [...keys, ...(await examineLicences(config, egress))]
}

/** Multi-DRM works only if no check has failed, and both keys and licences are configured. */
export const isUsable = (findings: readonly DrmFinding[]): boolean => findings.every(isHarmless)

/** A check that passed, or of something that is not needed. */
export const isHarmless = ({ name, result }: DrmFinding): boolean =>
  result === 'ok' || (result === 'not_configured' && !REQUIRED.has(name))

const REQUIRED: ReadonlySet<string> = new Set(['keys', 'licence provider'])

async function examineKeys(config: Config, egress: Egress): Promise<DrmFinding[]> {
  const asking = settled(askForKeys(config, egress))
  const keys = async () => {
    const { value } = await asking
    if (value === undefined) throw notChecked('keys')
    return value
  }
  return [
    await examine('keys', async () => {
      const { value, error } = await asking
      if (value === undefined) throw error
      return describeKeys(config, value)
    }),
    await examine('signalling', async () => compareSignalling(await keys())),
    await examine('video', async () => packageVideo(await keys())),
  ]
}

async function examineLicences(config: Config, egress: Egress): Promise<DrmFinding[]> {
  const opening = settled(Promise.resolve().then(() => openServers(config, egress)))
  const opened = async () => {
    const { value } = await opening
    if (value === undefined) throw notChecked('licence provider')
    return value
  }
  const { value: servers } = await opening
  const reached = DRM_SYSTEM_NAMES.map((system) => {
    const url = servers?.urls[system]
    return { system, response: url === undefined ? undefined : reachLicences(egress, url) }
  })
  const others = config.speke === null ? [] : [reach(egress, config.speke.url)]
  const outcomes = await Promise.allSettled([
    ...reached.flatMap(({ response }) => response ?? []),
    ...others,
  ])
  const present = outcomes.flatMap((one): Reached[] =>
    one.status === 'fulfilled' ? [one.value] : [],
  )
  return Promise.all([
    examine('licence provider', async () => {
      const { value, error } = await opening
      if (value === undefined) throw error
      return describeServers(value)
    }),
    ...reached.map(({ system, response }) =>
      examine(`${system} licences`, async () => {
        await opened()
        return checkServer(system, response)
      }),
    ),
    ...(['widevine', 'fairplay'] as const).map((system) =>
      examine(`${system} certificate`, async () =>
        checkCertificate(egress, await opened(), system),
      ),
    ),
    examine('clocks', async () => compareClocks(present)),
  ])
}

/** Waits for a result that several checks need; never rejects. */
async function settled<Value>(
  work: Promise<Value>,
): Promise<{ value?: Value | undefined; error?: unknown }> {
  try {
    return { value: await work }
  } catch (error) {
    return { error }
  }
}
