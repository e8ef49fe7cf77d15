import 'reflect-metadata'
import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
import { X509CertificateGenerator } from '@peculiar/x509'
import { beforeAll, describe, expect, it } from 'vitest'
import { KEY_GROUPS } from '../../domain/drm/key-contract.ts'
import { cpixResponse } from '../../test/infrastructure/key-server/key-server.ts'
import { cpixRequest } from './cpix-request.ts'
import { parseCpixResponse } from './cpix-response.ts'
import { parseSpekeIdentity, type SpekeIdentity } from './encrypted-keys.ts'

const keys = KEY_GROUPS.separate.map((group) => ({
  ...group,
  keyId: randomBytes(16),
  iv: randomBytes(16),
}))

let identity: SpekeIdentity
let other: SpekeIdentity

async function createPem(modulusLength: number) {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength }
  const pair = await crypto.subtle.generateKey(
    { ...algorithm, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  )
  const certificate = await X509CertificateGenerator.createSelfSigned({ name: 'CN=a', keys: pair })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', pair.privateKey)
  const body = Buffer.from(pkcs8).toString('base64')
  const privateKey = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`
  return { certificate: certificate.toString('pem'), privateKey }
}

beforeAll(async () => {
  identity = parseSpekeIdentity(await createPem(2048))
  other = parseSpekeIdentity(await createPem(2048))
})

const responseTo = (certificate?: Buffer): string =>
  cpixResponse(cpixRequest({ contentId: 'v1', keys, certificate }))
const read = (xml: string, as: SpekeIdentity | undefined = identity) =>
  parseCpixResponse(xml, { contentId: 'v1', keys, identity: as })

describe('content keys that are encrypted for a certificate', () => {
  it('are opened to the keys that come in clear without one', () => {
    const encrypted = responseTo(identity.certificate)
    expect(encrypted).not.toContain('PlainValue')
    const opened = read(encrypted).map(({ key }) => key)
    expect(opened).toEqual(
      parseCpixResponse(responseTo(), { contentId: 'v1', keys }).map(({ key }) => key),
    )
  })

  it('are opened if the MAC key is where CPIX has it', () => {
    const xml = responseTo(identity.certificate).replace(
      /<cpix:Key><pskc:EncryptedValue>(.*?)<\/pskc:EncryptedValue><pskc:ValueMAC>[^<]*<\/pskc:ValueMAC><\/cpix:Key>/,
      '<pskc:MACKey>$1</pskc:MACKey>',
    )
    expect(xml).toContain('MACKey')
    expect(read(xml)).toHaveLength(4)
  })

  it.each<[string, () => string, string]>([
    ['come in clear', () => responseTo(), 'DocumentKey of 32 bytes'],
    [
      'come in clear beside the keys of the document',
      () =>
        responseTo(identity.certificate).replaceAll(
          /(<cpix:ContentKey [^>]*>)<cpix:Data>.*?<\/cpix:Data>/g,
          '$1<cpix:Data><pskc:Secret><pskc:PlainValue>MDEyMzQ1Njc4OWFiY2RlZg==</pskc:PlainValue></pskc:Secret></cpix:Data>',
        ),
      'encrypted key with a MAC for AUDIO',
    ],
    ['are encrypted for another certificate', () => responseTo(other.certificate), 'DocumentKey'],
    [
      'have a wrong MAC',
      () =>
        responseTo(identity.certificate).replaceAll(
          /ValueMAC>[^<]*</g,
          `ValueMAC>${createHmac('sha512', 'another').update('').digest('base64')}<`,
        ),
      'wrong MAC for the key for AUDIO',
    ],
    [
      'have a short MAC',
      () => responseTo(identity.certificate).replaceAll(/ValueMAC>[^<]*</g, 'ValueMAC>AAAA<'),
      'wrong MAC for the key for AUDIO',
    ],
    [
      'have no MAC',
      () =>
        responseTo(identity.certificate).replaceAll(/<pskc:ValueMAC>[^<]*<\/pskc:ValueMAC>/g, ''),
      'encrypted key with a MAC for AUDIO',
    ],
    [
      'were altered',
      () =>
        responseTo(identity.certificate).replaceAll(
          /(<cpix:ContentKey .*?CipherValue>)[^<]*/g,
          `$1${randomBytes(48).toString('base64')}`,
        ),
      'wrong MAC for the key for AUDIO',
    ],
  ])('are refused if they %s', (_title, xml, message) => {
    expect(() => read(xml())).toThrow(message)
  })

  it('are refused if no certificate was sent', () => {
    expect(() =>
      parseCpixResponse(responseTo(identity.certificate), { contentId: 'v1', keys }),
    ).toThrow('key for AUDIO')
  })
})

describe('the certificate for content keys', () => {
  it('is refused with a key of another size, another key, or something else than PEM', async () => {
    const [small, good, strange] = [
      await createPem(1024),
      await createPem(2048),
      await createPem(2048),
    ]
    expect(() => parseSpekeIdentity(small)).toThrow('RSA of 2048 bits')
    expect(() => parseSpekeIdentity({ ...good, privateKey: strange.privateKey })).toThrow(
      'does not belong to the certificate',
    )
    expect(() => parseSpekeIdentity({ ...good, privateKey: 'my secret' })).toThrow(
      'the private key is not PEM',
    )
    expect(() => parseSpekeIdentity({ ...good, certificate: 'x' })).toThrow(
      'the certificate is not PEM',
    )
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    expect(() => parseSpekeIdentity({ ...good, privateKey: pem })).toThrow('RSA of 2048 bits')
  })
})
