import { readFile } from 'node:fs/promises'
import { parseSpekeIdentity } from './encrypted-keys.ts'
import type { SpekeOptions } from './speke-key-provider.ts'

/** The key server as the configuration describes it. */
interface KeyServerSettings extends Pick<SpekeOptions, 'url' | 'authentication'> {
  /** PEM files of what content keys are encrypted for; null: they come in clear. */
  identityFiles: { certificate: string; privateKey: string } | null
}

/** The files of the certificate cannot be used. `message` names their variables and quotes nothing of them. */
export class KeyServerFilesError extends Error {
  override name = 'KeyServerFilesError'
}

/** Returns the key server, with the certificate that its keys are encrypted for. Throws a KeyServerFilesError. */
export async function openKeyServer(
  settings: KeyServerSettings | null,
): Promise<Pick<SpekeOptions, 'url' | 'authentication' | 'identity'> | null> {
  if (!settings?.identityFiles) return settings
  const { certificate, privateKey } = settings.identityFiles
  try {
    const [certificatePem, privateKeyPem] = await Promise.all([
      readFile(certificate, 'utf8'),
      readFile(privateKey, 'utf8'),
    ])
    const pem = { certificate: certificatePem, privateKey: privateKeyPem }
    return { ...settings, identity: parseSpekeIdentity(pem) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new KeyServerFilesError(
      `DRM_SPEKE_CERTIFICATE_FILE and DRM_SPEKE_PRIVATE_KEY_FILE cannot be used: ${reason}`,
    )
  }
}
