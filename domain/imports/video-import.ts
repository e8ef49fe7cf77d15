import type { Metadata } from '../videos/own-data.ts'

export const IMPORT_STATES = ['running', 'completed', 'cancelled'] as const

export type ImportState = (typeof IMPORT_STATES)[number]

/** What becomes of a line. `started`: its video is being made. `exists`: a video has its external id already. */
export const IMPORT_LINE_STATES = [
  'waiting',
  'started',
  'ready',
  'failed',
  'exists',
  'cancelled',
] as const

export type ImportLineState = (typeof IMPORT_LINE_STATES)[number]

/** What the video of a line is made with, besides its link and its external id. */
export interface ImportedFacts {
  /** Null for the name of the file in the link. */
  title: string | null
  description: string
  folderId: number | null
  tags: string[]
  metadata: Metadata
  /** Null for the setting of the account. */
  keepOriginal: boolean | null
}

/** Where the objects of an import are. */
export interface ImportBucket {
  /** The https address of an S3 service, without a path. */
  endpoint: string
  region: string
  name: string
}

/** What opens a bucket; sealed wherever it is stored. */
export interface BucketAccess {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | null
}

/** The names that buckets have. */
export const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** Whether a text is the https address of a server, without a path. */
export const isHttpsOrigin = (text: string): boolean =>
  URL.parse(text)?.origin === text && text.startsWith('https://')

const SCHEME = 's3://'

const escapedPath = (key: string): string => key.split('/').map(encodeURIComponent).join('/')

/** The link of a video whose source is an object of a bucket. It opens nothing. */
export const objectLink = ({ name }: ImportBucket, key: string): string =>
  `${SCHEME}${name}/${escapedPath(key)}`

/** The https address of an object, without what opens it. No other object has it. */
export const objectAddress = ({ endpoint, name }: ImportBucket, key: string): string =>
  `${endpoint}/${name}/${escapedPath(key)}`

/** The key of the object that a link of `objectLink` names; null for any other link, also for one that an integrator has written in this form. */
export function keyOfLink(link: string): string | null {
  if (!link.startsWith(SCHEME)) return null
  const path = link.slice(link.indexOf('/', SCHEME.length) + 1)
  try {
    return path.split('/').map(decodeURIComponent).join('/')
  } catch {
    return null
  }
}

export interface ImportVideosInput {
  importId: number
}

/** How far an import is. */
export interface ImportRound {
  waiting: number
  started: number
  isEnded: boolean
}
