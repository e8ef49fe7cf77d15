import type { Metadata } from '../../../domain/videos/own-data.ts'

/** A small file that a service keeps with a video: behind a link, or a response of its API; or why it cannot be had. */
export type ServiceFile =
  { link: string } | { read: () => Promise<Uint8Array> } | { missing: string }

export interface ServiceCaption {
  /** As the service names it. */
  language: string
  label: string | null
  isDefault: boolean
  /** WebVTT or SRT. */
  file: ServiceFile
}

/** A chapter in seconds; without an end it goes on to the next one. */
export interface ServiceChapter {
  title: string
  start: number
  end: number | null
}

/** A video of a service whose file can be downloaded. */
export interface ServiceVideo {
  /** Unique in the service: letters, digits and hyphens. */
  id: string
  sourceUrl: string
  /** When the link ends at the latest; null if it does not. */
  expiresAt: Date | null
  title: string | null
  description: string | null
  folder: string | null
  tags: string[]
  metadata: Metadata
  createdAt: Date | null
  /** Where sites embed it. */
  oldUrl: string | null
  durationSeconds: number | null
  captions: ServiceCaption[]
  chapters: ServiceChapter[]
  /** The address of a poster that a user has chosen; null for a frame that the service chose. */
  poster: string | null
  /** Of the file, in hex. */
  sha256: string | null
  /** What of it could not be read. */
  problems: string[]
}

/** A video that cannot be in a manifest. */
export interface LeftOutVideo {
  /** Empty if not even that is known. */
  id: string
  title: string | null
  reason: string
}

export type FoundVideo = ServiceVideo | LeftOutVideo

/** Whether a video, or a record of one, is left out. */
export const isLeftOut = <T extends object>(video: T | LeftOutVideo): video is LeftOutVideo =>
  'reason' in video

/** An account at another service, whose videos are read. */
export interface Service {
  /** In front of the ids: `vimeo:258684937`. */
  name: 'vimeo' | 'mux' | 'bunny' | 'cloudflare'
  /** Its name in sentences. */
  title: string
  /** Reads the videos page by page. Throws a CliError if the service cannot be read. */
  videos: () => AsyncIterable<FoundVideo>
}
