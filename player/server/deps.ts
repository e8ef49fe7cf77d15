import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import type { FairplayDelivery } from '../../domain/drm/fairplay-delivery.ts'
import type { KeyModel } from '../../domain/drm/key-model.ts'
import type { ViewerPace } from '../../domain/playback/viewer-pace.ts'
import type { LicenceAdapter } from '../../drm/licences/licence-adapter.ts'
import type { Bodies } from '../../processes/bodies/read-body.ts'
import type { AttestedApps } from '../../security/attestation/attestation.ts'
import type { SigningKeys } from '../../security/hmac.ts'
import type { MasterKeys } from '../../security/sealing/sealing.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import type { Assets, PreparedAssets } from './assets/assets.ts'
import type { GrowingVideos } from './growing/growing-videos.ts'
import type { Playheads } from './growing/playheads.ts'
import type { Heartbeats } from './heartbeats.ts'
import type { AnonymousLimits, AnonymousRates } from './limits/anonymous-limits.ts'
import type { LicenceLimits, LicenceRates } from './limits/licence-limits.ts'
import type { ReadPicture } from './media/picture-reader.ts'
import type { ReportRecorder } from './playback-reports/report-recorder.ts'
import type { EventRecorder } from './security-events/event-recorder.ts'

/** The mobile app of the operator. */
export interface MobileApp {
  /** If false, a link is enough. */
  mustAttest: boolean
  apps: AttestedApps
}

/** What the composition root passes to the player host. */
export interface PlayerDeps {
  db: Database
  masterKeys: MasterKeys
  storage: ObjectStorage
  preparedAssets: PreparedAssets
  /** Public address of this host, without a trailing slash. */
  embedBase: string
  /** Where players fetch segments: this host, or a CDN in front of it. */
  mediaBase: string
  /** Whether players add CMCD to their requests for segments; only for a CDN. */
  sendsCmcd?: boolean | undefined
  serviceDomains: readonly string[]
  /** Public address of the dashboard, the only page that may show previews. */
  dashboardBase: string
  /** Public address of the Direct Play pages, on a separate host name; null if they are off. */
  directPlayBase: string | null
  /** Store page of the Android app; null if none is configured. */
  appStoreUrl: string | null
  /** Called with the number of bytes served of a video. */
  countServed: (videoId: string, bytes: number) => void
  /** The composition root closes it, so that no heartbeat is lost. */
  heartbeats: Heartbeats
  trustedProxies: number
  /**
   * The licence servers of Multi-DRM videos, whether they are handed the keys, and how Safari plays; null if none
   * are configured.
   */
  licences: {
    adapter: LicenceAdapter
    keyModel: KeyModel
    fairplayDelivery: FairplayDelivery
  } | null
  /** Plays for the mobile app, and what it must attest; undefined if the operator has no app. */
  mobileApp?: MobileApp | undefined
  /** Memory for frequently requested segments; 64 MiB by default. */
  segmentCacheBytes?: number | undefined
  /** Replaces rates of the limits of requests without a valid viewer token. */
  anonymousRates?: Partial<AnonymousRates> | undefined
  /** Replaces rates of the limits of licence requests. */
  licenceRates?: Partial<LicenceRates> | undefined
  /**
   * Origin of the storage's presigned addresses. If set, segment requests are redirected there;
   * otherwise this host streams the segments.
   */
  redirectOrigin?: string | undefined
  logger: Logger
}

/** `PlayerDeps` with what is made from them once, at start. */
export interface ServerContext extends PlayerDeps {
  assets: Assets
  /** The host name of `directPlayBase`. */
  directPlayHost: string | null
  /** Sign and verify session tokens. */
  sessionKeys: SigningKeys
  /** Sign and verify the tickets that name the framing site. */
  siteKeys: SigningKeys
  /** Sign and verify the challenges of the mobile app. */
  challengeKeys: SigningKeys
  growingVideos: GrowingVideos
  playheads: Playheads
  /** When the players of this process send something again. */
  viewerPace: ViewerPace
  /** Reads the bodies of this process, within its limits. */
  bodies: Bodies
  /** Reads posters and storyboards, within the memory that this process has for them. */
  readPicture: ReadPicture
  limits: AnonymousLimits
  licenceLimits: LicenceLimits
  recorder: EventRecorder
  reports: ReportRecorder
}
