import {
  constants,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  privateDecrypt,
  timingSafeEqual,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import type { KeyName } from '../../domain/drm/key-contract.ts'
import { decodeBase64 } from '../base64.ts'
import { elementsAt, type XmlElement } from '../xml.ts'
import { incomplete, wrongResponse } from './cpix-error.ts'
import { CPIX, PSKC, XMLENC } from './cpix-names.ts'

/** The certificate that content keys are encrypted for, and its private key. */
export interface SpekeIdentity {
  /** DER. */
  certificate: Buffer
  privateKey: KeyObject
}

/** The keys of one response that protect its content keys. */
export interface KeyTransport {
  /** AES-256, 32 bytes. */
  documentKey: Buffer
  /** HMAC-SHA512, 64 bytes. */
  macKey: Buffer
}

const RSA_BITS = 2048
const DOCUMENT_KEY_BYTES = 32
const MAC_KEY_BYTES = 64
const BLOCK_BYTES = 16
const CONTENT_KEY_BYTES = 16

/**
 * Reads a certificate and its private key, both PEM. Throws an Error, without the key, if one of them is
 * malformed, they do not belong together, or the key is not RSA of 2048 bits (AWS, "SPEKE API v2 - Customizations
 * and constraints").
 */
export function parseSpekeIdentity(pem: {
  certificate: string
  privateKey: string
}): SpekeIdentity {
  const certificate = read('certificate', () => new X509Certificate(pem.certificate))
  const privateKey = read('private key', () => createPrivateKey(pem.privateKey))
  const bits = privateKey.asymmetricKeyDetails?.modulusLength
  if (privateKey.asymmetricKeyType !== 'rsa' || bits !== RSA_BITS)
    throw new Error(`the key must be RSA of ${RSA_BITS} bits`)
  if (!certificate.checkPrivateKey(privateKey))
    throw new Error('the private key does not belong to the certificate')
  return { certificate: certificate.raw, privateKey }
}

/** The parser's own error may quote the file. */
function read<Value>(what: string, parse: () => Value): Value {
  try {
    return parse()
  } catch {
    throw new Error(`the ${what} is not PEM, or needs a passphrase`)
  }
}

/** Opens the document key and the MAC key that the response encrypts for the certificate. */
export function openTransport(root: XmlElement, identity: SpekeIdentity): KeyTransport {
  const data = elementsAt(root, CPIX, 'DeliveryDataList', 'DeliveryData')
  const wrapped = {
    documentKey: data.flatMap((one) => secretsOf(elementsAt(one, CPIX, 'DocumentKey'))),
    // CPIX writes pskc:MACKey, AWS cpix:Key.
    macKey: data
      .flatMap((one) => elementsAt(one, CPIX, 'MACMethod'))
      .flatMap((one) => [...elementsAt(one, CPIX, 'Key'), ...elementsAt(one, PSKC, 'MACKey')]),
  }
  return {
    documentKey: unwrap(wrapped.documentKey, identity, DOCUMENT_KEY_BYTES, 'DocumentKey'),
    macKey: unwrap(wrapped.macKey, identity, MAC_KEY_BYTES, 'MACMethod'),
  }
}

/** Tries each, because a response may be encrypted for several certificates. */
function unwrap(
  holders: XmlElement[],
  { privateKey: key }: SpekeIdentity,
  bytes: number,
  name: string,
): Buffer {
  for (const holder of holders) {
    const cipher = cipherOf(holder)
    try {
      const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }
      const opened = cipher && privateDecrypt({ key, ...padding }, cipher)
      if (opened?.length === bytes) return opened
    } catch {
      // It is encrypted for another certificate.
    }
  }
  throw incomplete(`${name} of ${bytes} bytes for our certificate`)
}

/**
 * Returns the 16 bytes of a content key: in clear, or opened with `transport`, with which a key in clear is refused.
 * The MAC is checked before the cipher is opened.
 */
export function openSecret(
  element: XmlElement,
  transport: KeyTransport | null,
  name: KeyName,
): Buffer {
  const [secret] = secretsOf([element])
  if (!secret) throw incomplete(`key for ${name}`)
  const key = transport
    ? decrypt(secret, transport, name)
    : decodeBase64(elementsAt(secret, PSKC, 'PlainValue')[0]?.text ?? '')
  if (key?.length !== CONTENT_KEY_BYTES) throw incomplete(`key for ${name}`)
  return key
}

function decrypt(secret: XmlElement, { documentKey, macKey }: KeyTransport, name: KeyName): Buffer {
  const cipher = cipherOf(secret)
  const mac = decodeBase64(elementsAt(secret, PSKC, 'ValueMAC')[0]?.text ?? '')
  if (!cipher || !mac) throw incomplete(`encrypted key with a MAC for ${name}`)
  const expected = createHmac('sha512', macKey).update(cipher).digest()
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected))
    throw wrongResponse(`has a wrong MAC for the key for ${name}`)
  try {
    const iv = cipher.subarray(0, BLOCK_BYTES)
    const decipher = createDecipheriv('aes-256-cbc', documentKey, iv)
    return Buffer.concat([decipher.update(cipher.subarray(BLOCK_BYTES)), decipher.final()])
  } catch {
    throw wrongResponse(`has an encrypted key for ${name} that does not open`)
  }
}

const secretsOf = (elements: XmlElement[]): XmlElement[] =>
  elements.flatMap((one) =>
    elementsAt(one, CPIX, 'Data').flatMap((data) => elementsAt(data, PSKC, 'Secret')),
  )

function cipherOf(holder: XmlElement): Buffer | null {
  const [value = holder] = elementsAt(holder, PSKC, 'EncryptedValue')
  const [cipher] = elementsAt(value, XMLENC, 'CipherData', 'CipherValue')
  return decodeBase64(cipher?.text ?? '')
}
