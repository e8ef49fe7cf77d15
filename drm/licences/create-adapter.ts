import type { Egress } from '../../egress/egress.ts'
import { askProvider, NoResponseError } from './ask-provider.ts'
import { createBreaker } from './breaker.ts'
import type { Certificates } from './certificates.ts'
import { judgeResponse } from './judge-response.ts'
import type {
  LicenceAdapter,
  LicenceRefusal,
  LicenceRequest,
  LicenceResponse,
  LicenceUrls,
  Provider,
} from './licence-adapter.ts'

/** Returns the adapter of a provider: with a deadline, one retry, a breaker for each system, and judgement. */
export function createAdapter(
  egress: Egress,
  provider: Provider,
  urls: LicenceUrls,
  certificates: Certificates,
): LicenceAdapter {
  const breakers = {
    widevine: createBreaker(),
    playready: createBreaker(),
    fairplay: createBreaker(),
  }
  const requestLicence = async (request: LicenceRequest): Promise<LicenceResponse> => {
    const url = urls[request.system]
    if (url === undefined) return refused('licence_refused', 'system_not_configured')
    const breaker = breakers[request.system]
    if (!breaker.mayAsk(performance.now())) return refused('drm_unavailable', 'breaker_open')
    const { reply: response, isAway } = await ask(egress, provider, url, request)
    breaker.record(!isAway, performance.now())
    return response
  }
  return {
    provider: provider.name,
    takesKeys: provider.takesKeys,
    requestLicence,
    certificate: (system) => certificates.get(system, requestLicence),
  }
}

/**
 * Asks a licence server. `isAway` is what the breaker counts: no response, or that of a gateway. Other errors
 * may be about this one request, and a viewer must not be able to stop the requests of all others.
 */
async function ask(
  egress: Egress,
  provider: Provider,
  url: string,
  request: LicenceRequest,
): Promise<{ reply: LicenceResponse; isAway: boolean }> {
  try {
    const response = await askProvider(egress, url, () => provider.frame(request))
    const judged = judgeResponse(request.system, response, provider.read(response, request))
    return { reply: judged, isAway: GATEWAY_ERRORS.has(response.status) }
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error
    return { reply: refused('drm_unavailable', error.reason), isAway: true }
  }
}

const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504])

const refused = (code: LicenceRefusal, providerCode: string): LicenceResponse => ({
  outcome: 'refused',
  code,
  providerCode,
  requestId: null,
  deviceId: null,
})
