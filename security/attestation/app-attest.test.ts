import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  createAttestationAuthority,
  type AttestationFault,
} from '../../test/fixtures/app-attest.ts'
import {
  AppAttestError,
  verifyAppAssertion,
  verifyAppAttestation,
  type AppAttestApp,
} from './app-attest.ts'
import { APPLE_APP_ATTEST_ROOT } from './apple-root.ts'

const APP_ID = '1234567890.com.example.player'
const clientDataHash = createHash('sha256').update('challenge').digest()
type Authority = Awaited<ReturnType<typeof createAttestationAuthority>>
let authority: Authority
let app: AppAttestApp
let device: Awaited<ReturnType<Authority['createDevice']>>
beforeAll(async () => {
  authority = await createAttestationAuthority(APP_ID)
  app = { appId: APP_ID, environment: 'production', rootPem: authority.rootPem }
  device = await authority.createDevice()
})

interface Change {
  app?: Partial<AppAttestApp>
  clientDataHash?: Buffer
  keyIdHex?: string
  now?: Date
}

const verify = (attestation: Buffer, { app: changed, ...change }: Change = {}) =>
  verifyAppAttestation(attestation, {
    app: { ...app, ...changed },
    clientDataHash,
    keyIdHex: device.keyId.toString('hex'),
    now: new Date(),
    ...change,
  })

describe('the root', () => {
  it('is the one that Apple publishes', () => {
    const root = new X509Certificate(APPLE_APP_ATTEST_ROOT)
    expect(root.verify(root.publicKey)).toBe(true)
    expect(root.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(
      '1cb9823ba28ba6ad2d33a006941de2ae4f513ef1d4e831b9f7e0fa7b6242c932',
    )
  })
})

describe('an attestation', () => {
  it('of the app is accepted, and its key verifies assertions with their counter', async () => {
    const { publicKey } = await verify(await device.attest(clientDataHash))
    const other = createHash('sha256').update('second challenge').digest()
    const assertion = device.assert(other, 7)
    const expected = { app, clientDataHash: other, publicKey }
    expect(verifyAppAssertion(assertion, expected)).toBe(7)
    expect(() => verifyAppAssertion(assertion, { ...expected, clientDataHash })).toThrow(
      'signature',
    )
    const foreign = { ...app, appId: '1234567890.com.example.other' }
    expect(() => verifyAppAssertion(assertion, { ...expected, app: foreign })).toThrow('app')
  })

  it.each<[string, Change, string]>([
    ['for another challenge', { clientDataHash: randomBytes(32) }, 'nonce'],
    ['of another key', { keyIdHex: '00'.repeat(32) }, 'key'],
    ['of another app', { app: { appId: 'other' } }, 'app'],
    ['of the other environment', { app: { environment: 'development' } }, 'environment'],
    ['by another root', { app: { rootPem: APPLE_APP_ATTEST_ROOT } }, 'chain'],
    ['whose certificates have expired', { now: new Date(Date.now() + 2 * 86_400_000) }, 'chain'],
  ])('%s is refused', async (_name, change, reason) => {
    await expect(verify(await device.attest(clientDataHash), change)).rejects.toThrow(reason)
  })

  it.each<[string, AttestationFault, string]>([
    ['with a counter that is not zero', { counter: 1 }, 'counter'],
    ['with another credential id', { credentialId: randomBytes(32) }, 'credential'],
    ['of a key for development', { aaguid: 'appattestdevelop' }, 'environment'],
    ['by an issuer that is no authority', { isIssuerNoAuthority: true }, 'chain'],
  ])('%s is refused', async (_name, fault, reason) => {
    await expect(verify(await device.attest(clientDataHash, fault))).rejects.toThrow(reason)
  })

  it('that is no attestation is refused, whatever its bytes', async () => {
    const genuine = await device.attest(clientDataHash)
    const short = [0, 1, 40, 400, genuine.length - 1].map((end) => genuine.subarray(0, end))
    for (const bytes of [...short, randomBytes(500), device.assert(clientDataHash)])
      await expect(verify(Buffer.from(bytes))).rejects.toThrow(AppAttestError)
  })
})
