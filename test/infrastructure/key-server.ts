import { randomBytes } from 'node:crypto'

/** Returns a pssh box of a DRM system (ISO/IEC 23001-7, section 8.1) in base64. */
export function psshBox(systemId: string, data = Buffer.from('the data of a system')): string {
  const head = Buffer.alloc(32)
  head.writeUInt32BE(head.length + data.length, 0)
  head.write('pssh', 4, 'latin1')
  Buffer.from(systemId.replaceAll('-', ''), 'hex').copy(head, 12)
  head.writeUInt32BE(data.length, 28)
  return Buffer.concat([head, data]).toString('base64')
}

/** Answers a CPIX request as a key server does: fills in every empty element. */
export function answerCpix(request: string, key = randomBytes(16)): string {
  return request
    .replaceAll(
      /<cpix:ContentKey ([^>]*)\/>/g,
      `<cpix:ContentKey $1 explicitIV="${Buffer.alloc(16, 7).toString('base64')}"><cpix:Data><pskc:Secret><pskc:PlainValue>${key.toString('base64')}</pskc:PlainValue></pskc:Secret></cpix:Data></cpix:ContentKey>`,
    )
    .replaceAll(/<cpix:DRMSystem ([^>]*)>(.*?)<\/cpix:DRMSystem>/gs, fillSystem)
}

function fillSystem(_element: string, attributes: string, content: string): string {
  const systemId = /systemId="([^"]*)"/.exec(attributes)?.[1] ?? ''
  const pssh = psshBox(systemId)
  const protection = `<cenc:pssh xmlns:cenc="urn:mpeg:cenc:2013">${pssh}</cenc:pssh>`
  const tag =
    '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k",KEYFORMAT="com.apple.streamingkeydelivery"'
  const filled = content
    .replace('<cpix:PSSH/>', `<cpix:PSSH>${pssh}</cpix:PSSH>`)
    .replace(
      '<cpix:ContentProtectionData/>',
      `<cpix:ContentProtectionData>${base64(protection)}</cpix:ContentProtectionData>`,
    )
    .replace(
      '<cpix:HLSSignalingData playlist="media"/>',
      `<cpix:HLSSignalingData playlist="media">${base64(tag)}</cpix:HLSSignalingData>`,
    )
  return `<cpix:DRMSystem ${attributes}>${filled}</cpix:DRMSystem>`
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
