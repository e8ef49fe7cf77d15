import { readFile } from 'node:fs/promises'
import { DrmProviderError } from '../../drm/drm-provider-error.ts'
import type { ContentKey } from '../../drm/key-provider.ts'
import {
  initSegmentFault,
  keysSignallingFault,
  signalledKey,
  signallingFault,
} from '../../drm/signalling-fault.ts'
import { readEncryptionBoxes } from '../../media/package/encryption-boxes.ts'
import type { PackagedRendition } from '../../media/package/package-rendition.ts'

type Signalled = Pick<ContentKey, 'name' | 'keyId' | 'ivHex' | 'systems'>

/**
 * Checks that the signalling of each key of a Multi-DRM video names that key and no other, so that a mix-up ends
 * the ingest instead of a playback. Throws a DrmProviderError `drm_signalling_mismatch`.
 */
export function checkSignalling(keys: readonly Signalled[]): void {
  for (const key of keys) checkKey(key)
  const fault = keysSignallingFault(keys.map(signalledKey))
  if (fault !== null) throw mismatch(`The DRM signalling of the video is mixed up: ${fault}.`)
}

function checkKey(key: Signalled): void {
  const fault = signallingFault(signalledKey(key))
  if (fault !== null)
    throw mismatch(`The DRM signalling of the key ${key.name} is mixed up: ${fault}.`)
}

/** Checks the signalling of a packaged rendition: the key's, and what its init segment says. Throws as above. */
export async function checkPackagedSignalling(
  key: Signalled,
  { rendition: { name, kind }, initPath }: Pick<PackagedRendition, 'rendition' | 'initPath'>,
): Promise<void> {
  checkKey(key)
  const boxes = readEncryptionBoxes(await readFile(initPath))
  const fault = initSegmentFault(signalledKey(key), kind, boxes)
  if (fault !== null) throw mismatch(`The DRM signalling of ${name} is mixed up: ${fault}.`)
}

const mismatch = (message: string): DrmProviderError =>
  new DrmProviderError('drm_signalling_mismatch', message)
