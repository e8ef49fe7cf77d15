import {
  CERTIFICATE_WARN_DAYS,
  CertificateError,
  certificateExpiry,
  daysUntil,
  readCertificate,
} from '../../../drm/licences/certificates.ts'
import type { CertificateSystem } from '../../../drm/licences/licence-adapter.ts'
import type { OpenedLicences } from '../../../drm/licences/open-licences.ts'
import { isServiceCertificate } from '../../../drm/licences/service-certificate.ts'
import { EgressError } from '../../../egress/egress-error.ts'
import type { Egress } from '../../../egress/egress.ts'
import { readSystemError } from '../../../processes/system-error.ts'
import { CheckFailure, passed, type Passed } from './finding.ts'
import { remedyOf, urlVariable } from './licence-servers.ts'

/**
 * Fetches the certificate of a system from where the player gets it, and checks when it ends. Widevine's usually
 * comes from the licence server, which must accept our entitlement for it. Throws a CheckFailure.
 */
export async function checkCertificate(
  egress: Egress,
  { adapter, urls, certificateSources: sources }: OpenedLicences,
  system: CertificateSystem,
): Promise<Passed> {
  if (urls[system] === undefined)
    throw new CheckFailure(
      'it is not served',
      `Set ${urlVariable(system)} to serve it.`,
      'not_configured',
    )
  const certificate = await readCertificate(
    { egress, sources, requestLicence: (request) => adapter.requestLicence(request) },
    system,
  ).catch((error: unknown) => {
    throw toCheckFailure(error, system, sources[system])
  })
  if (certificate === null)
    throw new CheckFailure('there is none', 'Set DRM_FAIRPLAY_CERTIFICATE: Safari needs it.')
  if (system === 'widevine' && !isServiceCertificate(certificate))
    throw toCheckFailure(
      new CertificateError('it is not a certificate of a Widevine licence service'),
      system,
      sources[system],
    )
  return judge(certificate, sources[system] === undefined)
}

function judge(certificate: Buffer, isFromServer: boolean): Passed {
  const from = isFromServer ? 'from the licence server, which accepts our requests' : 'is readable'
  const endsAt = certificateExpiry(certificate)
  if (endsAt === null) return passed(`${from}; it does not say when it ends`)
  const day = endsAt.toISOString().slice(0, 10)
  const daysLeft = daysUntil(endsAt)
  if (daysLeft < 0) throw new CheckFailure(`it ended on ${day}`, RENEW)
  return passed(`${from}; it ends on ${day}`, daysLeft < CERTIFICATE_WARN_DAYS ? RENEW : null)
}

const RENEW = 'Have it renewed, at Apple or by the provider, and replace it.'

const FORMS: Record<CertificateSystem, string> = {
  widevine: 'the service certificate that the provider hands out, as it is or in base64',
  fairplay: 'a certificate as DER, PEM or base64',
}

function toCheckFailure(
  error: unknown,
  system: CertificateSystem,
  source: string | undefined,
): unknown {
  const variable = `DRM_${system.toUpperCase()}_CERTIFICATE`
  if (error instanceof CertificateError)
    return new CheckFailure(
      error.message,
      source === undefined
        ? 'If the licence server responds, check the credentials of the licence provider.'
        : `Check ${variable}: it must name ${FORMS[system]}.`,
    )
  if (error instanceof EgressError)
    return new CheckFailure(error.message, `${remedyOf(error.code)} The variable is ${variable}.`)
  const { code } = readSystemError(error)
  return new CheckFailure(
    `the file cannot be read (${code || 'unknown error'})`,
    `Check ${variable}, and whether this user may read the file.`,
  )
}
