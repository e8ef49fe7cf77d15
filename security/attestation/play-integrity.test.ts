import { createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createPlayIntegrity } from '../../test/fixtures/play-integrity.ts'
import { verifyPlayIntegrity, type PlayIntegrityApp } from './play-integrity.ts'

const NOW = 1_800_000_000_000
const nonce = randomBytes(32)
const google = createPlayIntegrity()
const { app, mint } = google
const verdict = () => google.verdict(nonce, NOW)

const verify = (token: string, change: Partial<PlayIntegrityApp> = {}) =>
  verifyPlayIntegrity(token, { app: { ...app, ...change }, nonce, nowMs: NOW })

describe('a Play Integrity token', () => {
  it('of the app on a genuine device is accepted, with verdicts that are not known yet', async () => {
    await expect(verify(await mint({ ...verdict(), newDetails: {} }))).resolves.toBeUndefined()
  })

  const { requestDetails, appIntegrity } = verdict()
  it.each<[string, object, string]>([
    [
      'of another package',
      { requestDetails: { ...requestDetails, requestPackageName: 'x' } },
      'package',
    ],
    ['with another nonce', { requestDetails: { ...requestDetails, nonce: 'AAAA' } }, 'nonce'],
    [
      'that is too old',
      { requestDetails: { ...requestDetails, timestampMillis: String(NOW - 300_001) } },
      'age',
    ],
    [
      'from the future',
      { requestDetails: { ...requestDetails, timestampMillis: String(NOW + 60_001) } },
      'age',
    ],
    [
      'of an app that Google Play does not know',
      { appIntegrity: { ...appIntegrity, appRecognitionVerdict: 'UNRECOGNIZED_VERSION' } },
      'app',
    ],
    [
      'of an app signed with another certificate',
      { appIntegrity: { ...appIntegrity, certificateSha256Digest: ['digest-2'] } },
      'certificate',
    ],
    [
      'of a device without integrity',
      { deviceIntegrity: { deviceRecognitionVerdict: ['MEETS_BASIC_INTEGRITY'] } },
      'device',
    ],
    ['without a verdict about the device', { deviceIntegrity: {} }, 'device'],
    [
      'of a device on which an app captures the screen',
      { environmentDetails: { appAccessRiskVerdict: { appsDetected: ['UNKNOWN_CAPTURING'] } } },
      'capturing',
    ],
  ])('%s is refused', async (_name, change, reason) => {
    await expect(verify(await mint({ ...verdict(), ...change }))).rejects.toThrow(reason)
  })

  it('needs strong integrity if the operator asks for it', async () => {
    await expect(verify(await mint(verdict()), { deviceIntegrity: 'strong' })).rejects.toThrow(
      'device',
    )
  })

  it('with another key, algorithm or content is refused, without a quote of it', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
    for (const token of [
      await mint(verdict(), { signWith: other }),
      await mint(verdict(), { signWith: p384, alg: 'ES384' }),
      await mint(verdict(), { wrap: 'A256GCMKW' }),
      await mint(verdict(), { enc: 'A256CBC-HS512' }),
      await mint({}),
      '',
      'a.b.c.d.e',
    ])
      await expect(verify(token)).rejects.toThrow(/^token$/)
    const foreign = { decryptionKey: createSecretKey(randomBytes(32)) }
    await expect(verify(await mint(verdict()), foreign)).rejects.toThrow(/^token$/)
  })
})
