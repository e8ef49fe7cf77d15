import type { AppAttestEnvironment } from '../../domain/drm/app-attest-environment.ts'
import type { EntityManager } from '../database.ts'
import { AppAttestKey } from '../entities/mobile-app.ts'

/** The public key of an installation, as DER; null if it is not known in this environment. */
export async function findAppAttestPublicKey(
  em: EntityManager,
  keyId: string,
  environment: AppAttestEnvironment,
): Promise<Buffer | null> {
  const key = await em.findOne(AppAttestKey, { keyId, environment })
  return key && Buffer.from(key.publicKey, 'base64')
}
