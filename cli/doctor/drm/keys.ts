import { createHash } from 'node:crypto'
import type { Config } from '../../../config/config.ts'
import { DrmProviderError, type KeyServerFault } from '../../../drm/drm-provider-error.ts'
import type { ContentKey, KeyProvider } from '../../../drm/key-provider.ts'
import { createKeyProviders } from '../../../drm/key-providers.ts'
import { mergedBoxes } from '../../../drm/merged-boxes.ts'
import {
  keysSignallingFault,
  signalledKey,
  signallingFault,
} from '../../../drm/signalling-fault.ts'
import { KeyServerFilesError, openKeyServer } from '../../../drm/speke/open-key-server.ts'
import type { Egress } from '../../../egress/egress.ts'
import { CheckFailure, passed, type Passed } from './finding.ts'

/**
 * Gets the keys of a video that only the doctor has, from the configured key provider. Throws a CheckFailure; its
 * result is `not_configured` if there is no key provider.
 */
export async function askForKeys(config: Config, egress: Egress): Promise<ContentKey[]> {
  if (config.DRM_KEY_MODEL === 'provider' && config.speke === null)
    throw new CheckFailure(
      'there is no source of keys',
      'Set DRM_SPEKE_URL, or DRM_KEY_MODEL=own, for this command too.',
      'not_configured',
    )
  try {
    const provider = await openProvider(config, egress)
    // The same video each time: a key server keeps the keys of every video that it is asked for.
    const videoId = derived(config, 'film').toString('hex').slice(0, 20)
    const keys = provider.groups([]).map((group) => ({
      ...group,
      keyId: derived(config, 'key id', group.name),
      iv: derived(config, 'iv', group.name),
    }))
    return await provider.createKeys({ videoId, keys })
  } catch (error) {
    throw toCheckFailure(error)
  }
}

async function openProvider(config: Config, egress: Egress): Promise<KeyProvider> {
  const providerOf = createKeyProviders({
    egress,
    keyModel: config.DRM_KEY_MODEL,
    keySharing: config.DRM_KEYS,
    speke: await openKeyServer(config.speke),
  })
  return providerOf('multi-drm')
}

/** 16 bytes that are the same for each run of this installation. They are no secret. */
const derived = ({ speke, EMBED_BASE_URL }: Config, ...names: string[]): Buffer =>
  createHash('sha256')
    .update(['reelgate doctor', speke?.url ?? '', EMBED_BASE_URL, ...names].join('\n'))
    .digest()
    .subarray(0, 16)

function toCheckFailure(error: unknown): unknown {
  if (error instanceof KeyServerFilesError)
    return new CheckFailure(error.message, 'Correct the files that the two variables name.')
  if (!(error instanceof DrmProviderError)) return error
  const remedy =
    error.code === 'drm_provider_unavailable'
      ? `${WAITING[error.fault ?? 'away']} New videos wait for about twelve hours.`
      : REFUSED[error.code]
  return new CheckFailure(error.message, remedy)
}

const WAITING: Record<KeyServerFault, string> = {
  away: 'Check DRM_SPEKE_URL, whether this machine may open connections to it, and whether the provider works.',
  credentials:
    'Check DRM_SPEKE_AUTH and its credentials, and restart the workers with valid ones: those with DRM_SPEKE_AWS_SESSION_TOKEN end after hours.',
  address:
    'Check DRM_SPEKE_URL, and restart the workers with the right one: it is the SPEKE 2.0 address of the provider, and redirects are not followed.',
}

const REFUSED = {
  drm_provider_refused:
    'Check DRM_SPEKE_URL, DRM_SPEKE_AUTH and its credentials, and DRM_KEYS. If they are right, send this line to the provider.',
  drm_signalling_mismatch: 'Send this line to the provider.',
}

/** Says which keys came from where. */
export function describeKeys({ DRM_KEY_MODEL, speke }: Config, keys: ContentKey[]): Passed {
  const names = keys.map(({ name }) => name).join(', ')
  return passed(
    DRM_KEY_MODEL === 'own' || speke === null
      ? `${names}: made here`
      : `${names}: from ${new URL(speke.url).hostname}`,
  )
}

/** Compares what manifests would say of each key with the key, as every ingest does. Throws a CheckFailure. */
export function compareSignalling(keys: ContentKey[]): Passed {
  const contradiction = (fault: string): CheckFailure =>
    new CheckFailure(fault, 'Send this line to the provider: its response contradicts itself.')
  for (const key of keys) {
    const fault = signallingFault(signalledKey(key))
    if (fault !== null) throw contradiction(`${key.name}: ${fault}`)
  }
  const fault = keysSignallingFault(keys.map(signalledKey))
  if (fault !== null) throw contradiction(fault)
  return passed(
    `Widevine, PlayReady and FairPlay name the same keys and IVs; ${licencesOfPlay(keys)}`,
  )
}

/** Says how many licences a play asks for, which the provider bills. */
function licencesOfPlay(keys: readonly ContentKey[]): string {
  const merged = Object.entries(mergedBoxes(keys.map(({ systems }) => systems)))
  const manyFor = merged.flatMap(([system, boxes]) => (boxes === null ? [system] : []))
  const each = [...manyFor, 'fairplay'].join(' and ')
  return `a play asks for one licence, with ${each} for one for each key`
}
