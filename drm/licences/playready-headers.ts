import type { LicenceRequest } from './licence-adapter.ts'

/** Header values without line ends or other controls. */
const PLAIN = /^[\x20-\x7e]{1,200}$/

/** The headers of a PlayReady challenge, which is SOAP: those of the player, else their usual values. */
export function playreadyHeaders({
  system,
  contentType,
  soapAction,
}: LicenceRequest): Record<string, string> {
  if (system !== 'playready') return {}
  const isXml = contentType !== null && /^text\/xml\b/i.test(contentType) && PLAIN.test(contentType)
  return {
    'Content-Type': isXml ? contentType : 'text/xml; charset=utf-8',
    SOAPAction:
      soapAction !== null && PLAIN.test(soapAction)
        ? soapAction
        : '"http://schemas.microsoft.com/DRM/2007/03/protocols/AcquireLicense"',
  }
}
