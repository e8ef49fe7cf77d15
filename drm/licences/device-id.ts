import { createHash } from 'node:crypto'
import { isDeviceId } from '../../domain/drm/drm-device.ts'

/** Returns the name of a device as it is stored: the provider's, or its SHA-256 if that cannot be written. */
export const storedDeviceId = (name: string): string =>
  isDeviceId(name) ? name : `sha256:${createHash('sha256').update(name).digest('hex')}`
