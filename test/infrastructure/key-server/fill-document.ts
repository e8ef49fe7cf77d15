import { createHash } from 'node:crypto'
import { create } from 'xmlbuilder2'
import { DRM_SYSTEM_IDS } from '../../../domain/drm/drm-system.ts'
import { writePlayReadyObject } from '../../../drm/playready-object.ts'
import { writePssh } from '../../../drm/pssh.ts'
import { CPIX, PSKC, XMLDSIG, XMLENC } from '../../../drm/speke/cpix-names.ts'
import { widevineData } from '../../../drm/widevine-data.ts'
import { elementsAt, type XmlElement } from '../../../drm/xml.ts'
import { addDocumentKeys, addEncrypted, createSender, type Sender } from './encrypt.ts'

type Node = ReturnType<typeof create>

export interface FillOptions {
  /** Gives every key another id than the proposed one. */
  overridesKeyIds?: boolean
  /** Gives the first key this id. */
  firstKeyId?: Buffer
  /** Signals each key with the boxes, objects and tags of the next one, and without any KEYID. */
  mixesUpKeys?: boolean
  /** Gives all keys one address for FairPlay. */
  repeatsAddress?: boolean
  /** Writes the signalling of the master playlist before that of the media playlist. */
  masterFirst?: boolean
  /** Sends keys in clear although the request has a certificate. */
  ignoresCertificate?: boolean
}

/** What the key server knows of one key. */
interface FilledKey {
  /** Lowercase UUID. */
  kid: string
  keyId: Buffer
  key: Buffer
  iv: Buffer
}

/** 16 bytes that depend on these texts alone: the same request gets the same keys. */
const derived = (...texts: string[]): Buffer =>
  createHash('sha256').update(texts.join('\n')).digest().subarray(0, 16)

const PREFIXES: Readonly<Record<string, string>> = {
  [CPIX]: 'cpix',
  [PSKC]: 'pskc',
  [XMLDSIG]: 'ds',
  [XMLENC]: 'enc',
}

/** Completes a request as a key server does: every key, IV and piece of signalling that it asks for. */
export function fillDocument(root: XmlElement, options: FillOptions = {}): string {
  const contentId = root.attributes.get('contentId') ?? ''
  const keys = new Map(
    elementsAt(root, CPIX, 'ContentKeyList', 'ContentKey').map((element, index) => {
      const asked = element.attributes.get('kid') ?? ''
      return [asked.toLowerCase(), filledKey(contentId, element, options, index)] as const
    }),
  )
  const sender = options.ignoresCertificate ? null : createSender(root)
  const document = create({ version: '1.0', encoding: 'UTF-8' })
  write(document, root, { keys, sender, options })
  return document.end()
}

function filledKey(
  contentId: string,
  { attributes }: XmlElement,
  { overridesKeyIds = false, firstKeyId }: FillOptions,
  index: number,
): FilledKey {
  const asked = attributes.get('kid')?.toLowerCase() ?? ''
  const askedId = Buffer.from(asked.replaceAll('-', ''), 'hex')
  const ownId = overridesKeyIds ? derived(contentId, asked, 'kid') : askedId
  const keyId = (index === 0 && firstKeyId) || ownId
  const iv = Buffer.from(attributes.get('explicitIV') ?? '', 'base64')
  return {
    kid: keyId.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    keyId,
    key: derived(contentId, asked, 'key'),
    iv: iv.length === 16 ? iv : derived(contentId, asked, 'iv'),
  }
}

interface Filling {
  keys: ReadonlyMap<string, FilledKey>
  sender: Sender | null
  options: FillOptions
}

function write(parent: Node, element: XmlElement, filling: Filling): void {
  const { name, namespace, attributes, children, text } = element
  const key = filling.keys.get(attributes.get('kid')?.toLowerCase() ?? '')
  const node = parent.ele(namespace, `${PREFIXES[namespace] ?? 'x'}:${name}`)
  if (name === 'CPIX') node.att('http://www.w3.org/2000/xmlns/', 'xmlns:pskc', PSKC)
  for (const [attribute, value] of attributes)
    node.att(attribute, attribute === 'kid' && key ? key.kid : value)
  if (text !== '') node.txt(text)
  if (name === 'DRMSystem' && key)
    return fillSystem(node, element, signalledKey(key, filling), filling.options)
  for (const child of children) write(node, child, filling)
  if (name === 'ContentKey' && key) {
    node.att('explicitIV', key.iv.toString('base64'))
    const secret = node.ele(CPIX, 'cpix:Data').ele(PSKC, 'pskc:Secret')
    if (filling.sender) addEncrypted(secret, filling.sender, key.key)
    else secret.ele(PSKC, 'pskc:PlainValue').txt(key.key.toString('base64'))
  }
  if (name === 'DeliveryData' && filling.sender) addDocumentKeys(node, filling.sender)
}

/** The key whose signalling is sent for a key. */
function signalledKey(key: FilledKey, { keys, options: { mixesUpKeys } }: Filling): FilledKey {
  if (mixesUpKeys !== true) return key
  const all = [...keys.values()]
  return all[(all.indexOf(key) + 1) % all.length] ?? key
}

function fillSystem(
  node: Node,
  { attributes, children }: XmlElement,
  key: FilledKey,
  options: FillOptions,
): void {
  const systemId = attributes.get('systemId')?.toLowerCase() ?? ''
  const signalling = signallingOf(systemId, key, options)
  const { masterFirst = false } = options
  const ordered = masterFirst ? children.toReversed() : children
  for (const { name, attributes: wanted } of ordered) {
    const playlist = wanted.get('playlist')
    const value = name === 'HLSSignalingData' ? signalling[playlist ?? ''] : signalling[name]
    // FairPlay has neither a pssh box nor MPD content.
    if (value === undefined) continue
    node.ele(CPIX, `cpix:${name}`, playlist === undefined ? {} : { playlist }).txt(value)
  }
}

/** The text of each element of a `DRMSystem`, by its name; of both HLS elements by their playlists. */
function signallingOf(
  systemId: string,
  key: FilledKey,
  { mixesUpKeys = false, repeatsAddress = false }: FillOptions,
): Partial<Record<string, string>> {
  if (systemId === DRM_SYSTEM_IDS.fairplay) {
    const name = { ContentId: 'lesson', KeyId: key.kid, IV: key.iv.toString('base64') }
    const uri = `skd://${repeatsAddress ? 'lesson' : base64(JSON.stringify(name))}`
    return hlsTags(uri, 'com.apple.streamingkeydelivery')
  }
  const object = writePlayReadyObject(key.keyId)
  const isPlayReady = systemId === DRM_SYSTEM_IDS.playready
  const box = writePssh(systemId, isPlayReady ? object : widevineData(key.keyId)).toString('base64')
  const pssh = `<cenc:pssh xmlns:cenc="urn:mpeg:cenc:2013">${box}</cenc:pssh>`
  const pro = object.toString('base64')
  return {
    PSSH: box,
    ContentProtectionData: base64(
      isPlayReady
        ? `${pssh}<mspr:pro xmlns:mspr="urn:microsoft:playready">${pro}</mspr:pro>`
        : pssh,
    ),
    ...(isPlayReady
      ? hlsTags(`data:text/plain;charset=UTF-16;base64,${pro}`, 'com.microsoft.playready')
      : hlsTags(
          `data:text/plain;base64,${box}`,
          `urn:uuid:${systemId}`,
          mixesUpKeys ? '' : `,KEYID=0x${key.keyId.toString('hex')}`,
        )),
  }
}

function hlsTags(uri: string, keyFormat: string, more = ''): { media: string; master: string } {
  const list = `METHOD=SAMPLE-AES,URI="${uri}",KEYFORMAT="${keyFormat}",KEYFORMATVERSIONS="1"${more}`
  return { media: base64(`#EXT-X-KEY:${list}`), master: base64(`#EXT-X-SESSION-KEY:${list}`) }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
