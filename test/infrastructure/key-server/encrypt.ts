import {
  constants,
  createCipheriv,
  createHmac,
  publicEncrypt,
  randomBytes,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import type { create } from 'xmlbuilder2'
import { CPIX, PSKC, XMLDSIG, XMLENC } from '../../../drm/speke/cpix-names.ts'
import { elementsAt, type XmlElement } from '../../../drm/xml.ts'

type Node = ReturnType<typeof create>

const RSA = `${XMLENC}rsa-oaep-mgf1p`
const AES = `${XMLENC}aes256-cbc`
const HMAC = 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha512'

/** What a key server encrypts the content keys of one response with. */
export interface Sender {
  recipient: KeyObject
  documentKey: Buffer
  macKey: Buffer
}

/** Draws keys for the certificate of a request; null if it has none. */
export function createSender(root: XmlElement): Sender | null {
  const [delivery] = elementsAt(root, CPIX, 'DeliveryDataList', 'DeliveryData', 'DeliveryKey')
  const [text] = delivery ? elementsAt(delivery, XMLDSIG, 'X509Data', 'X509Certificate') : []
  if (!text) return null
  const { publicKey } = new X509Certificate(Buffer.from(text.text, 'base64'))
  return { recipient: publicKey, documentKey: randomBytes(32), macKey: randomBytes(64) }
}

/** Adds the document key and the MAC key of the response, encrypted for the certificate. */
export function addDocumentKeys(delivery: Node, sender: Sender): void {
  const secret = delivery
    .ele(CPIX, 'cpix:DocumentKey', { Algorithm: AES })
    .ele(CPIX, 'cpix:Data')
    .ele(PSKC, 'pskc:Secret')
  addValue(secret, RSA, wrapped(sender, sender.documentKey), sender)
  const mac = delivery.ele(CPIX, 'cpix:MACMethod', { Algorithm: HMAC }).ele(CPIX, 'cpix:Key')
  addValue(mac, RSA, wrapped(sender, sender.macKey), sender)
}

/** Adds an encrypted content key with its MAC. */
export function addEncrypted(secret: Node, sender: Sender, key: Buffer): void {
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', sender.documentKey, iv)
  addValue(secret, AES, Buffer.concat([iv, cipher.update(key), cipher.final()]), sender)
}

const wrapped = ({ recipient: key }: Sender, secret: Buffer): Buffer =>
  publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }, secret)

function addValue(parent: Node, algorithm: string, cipher: Buffer, { macKey }: Sender): void {
  const value = parent.ele(PSKC, 'pskc:EncryptedValue')
  value.ele(XMLENC, 'enc:EncryptionMethod', { Algorithm: algorithm })
  value.ele(XMLENC, 'enc:CipherData').ele(XMLENC, 'enc:CipherValue').txt(cipher.toString('base64'))
  const mac = createHmac('sha512', macKey).update(cipher).digest('base64')
  parent.ele(PSKC, 'pskc:ValueMAC').txt(mac)
}
