import type { DrmSystemName } from '../../domain/drm/drm-system.ts'
import type { LicencePolicy } from '../../domain/drm/licence-policy.ts'
import type { TrackType } from '../../domain/videos/rendition.ts'

/** One licence request of a player, with the entitlement of its session. */
export interface LicenceRequest {
  system: DrmSystemName
  /** What the CDM wrote, without framing: a Widevine request, a PlayReady challenge (XML), or an SPC. */
  challenge: Buffer
  /** Headers of the player's request that PlayReady needs. */
  contentType: string | null
  soapAction: string | null
  videoId: string
  /** Verified; null for a viewer without a token. */
  viewerId: string | null
  sessionId: string
  /** All keys that the session may have. */
  keys: LicenceKey[]
  policy: LicencePolicy
  nowMs: number
}

export interface LicenceKey {
  keyIdHex: string
  trackTypes: TrackType[]
  /** 16 bytes, to be handed over; null if the provider has the key. */
  key: Buffer | null
  ivHex: string | null
}

/** Why a licence is refused. These are the error codes that the player gets. */
export type LicenceRefusal =
  | 'licence_refused'
  | 'drm_device_revoked'
  | 'drm_security_too_low'
  | 'drm_output_blocked'
  | 'drm_unavailable'

/** What a provider returned. `deviceId` is null if the provider does not name the device. */
export type LicenceResponse =
  | { outcome: 'granted'; licence: Buffer; deviceId: string | null }
  | {
      outcome: 'refused'
      code: LicenceRefusal
      /** The provider's own code and the id of its response, for the log. */
      providerCode: string | null
      requestId: string | null
      deviceId: string | null
    }

/** The systems whose CDM can be given the certificate of the licence server in advance. */
export type CertificateSystem = Exclude<DrmSystemName, 'playready'>

/** The licence servers of one provider. All framing and all credentials stay inside. */
export interface LicenceAdapter {
  /** The name of the provider, for the log. */
  readonly provider: string
  /** Whether an entitlement can contain keys that the provider does not have. */
  readonly takesKeys: boolean
  /** Asks for one licence. Never throws because of the provider or the viewer. */
  requestLicence(request: LicenceRequest): Promise<LicenceResponse>
  /** The certificate (DER, or Widevine's signed message); null if none is configured or can be had. */
  certificate(system: CertificateSystem): Promise<Buffer | null>
}

/** What a provider file supplies; `createAdapter` adds deadline, retry, breaker, judgement and certificates. */
export interface Provider {
  name: string
  takesKeys: boolean
  /** Builds the request to the provider. Called again for a retry: tokens are used once. */
  frame(request: LicenceRequest): Promise<FramedRequest> | FramedRequest
  /** Takes the licence, the device and the refusal out of a response. */
  read(response: ProviderResponse, request: LicenceRequest): Reading
}

/** A POST to the licence server of a provider. */
export interface FramedRequest {
  headers: Record<string, string>
  body: Buffer
}

/** The licence servers, by system; absent for a system that the provider does not serve. */
export type LicenceUrls = Partial<Record<DrmSystemName, string>>

/** The complete response of a licence server. */
export interface ProviderResponse {
  status: number
  /** By lowercase name. */
  header(name: string): string | null
  body: Buffer
}

/** What a provider's file finds in a response, before it is judged (`judge-response.ts`). */
export interface Reading {
  /** The bytes that are the licence if the response is a grant. */
  licence: Buffer
  deviceId: string | null
  /** Set if the provider's own fields say that it refuses, whatever the status. */
  refusal: { code: LicenceRefusal; providerCode: string } | null
}
