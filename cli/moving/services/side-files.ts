import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CAPTION_MAX_BYTES,
  POSTER_UPLOAD_MAX_BYTES,
  SOURCE_MAX_REDIRECTS,
} from '../../../domain/limits.ts'
import { PICTURE_FORMATS, pictureFault, readPicture } from '../../../domain/videos/picture.ts'
import { EgressError, type EgressErrorCode } from '../../../egress/egress-error.ts'
import type { Egress, EgressResponse } from '../../../egress/egress.ts'
import { SOURCE_HEADERS } from '../../../egress/source-facts.ts'
import { CliError } from '../../errors.ts'
import { writeWhole } from '../write-whole.ts'
import { retryAfterMs } from './rate-limits.ts'
import type { ServiceFile } from './service.ts'
import { webVttOf } from './web-vtt.ts'

/** Why a caption or a picture is not beside the manifest. */
export class SideFileError extends Error {
  override name = 'SideFileError'
}

/**
 * The captions and pictures beside a manifest. A file of an earlier run is kept. All methods resolve to a path that is relative to the
 * manifest, and throw a SideFileError.
 */
export interface SideFiles {
  /** `id` and `language` have letters, digits and hyphens only. */
  caption: (id: string, language: string, file: ServiceFile) => Promise<string>
  poster: (id: string, link: string) => Promise<string>
}

export interface SideFilesOptions {
  /** The folder of the manifest. */
  base: string
  /** The name of the folder in it for the files. */
  folder: string
  egress: Egress
  signal: AbortSignal
  /** For tests. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** Creates them; the folder is made when the first file is there. */
export function createSideFiles(options: SideFilesOptions): SideFiles {
  const { base, folder } = options
  const pathOf = (name: string): string => {
    if (!/^[\w-]+(\.[\w-]+)+$/.test(name)) throw new SideFileError('It has no safe name.')
    return join(base, folder, name)
  }
  const isThere = (name: string): Promise<boolean> =>
    lstat(pathOf(name)).then(
      (facts) => facts.isFile(),
      () => false,
    )
  const keep = async (name: string, content: Uint8Array | string): Promise<string> => {
    await mkdir(join(base, folder), { recursive: true })
    await writeWhole(pathOf(name), content)
    return `${folder}/${name}`
  }
  return {
    async caption(id, language, file) {
      const name = `${id}.${language}.vtt`
      if (await isThere(name)) return `${folder}/${name}`
      const content = webVttOf(await bytesOf(options, file, CAPTION_MAX_BYTES))
      if (content === null) throw new SideFileError('It is neither WebVTT nor SRT.')
      return keep(name, content)
    },
    async poster(id, link) {
      for (const format of PICTURE_FORMATS)
        if (await isThere(`${id}.${format}`)) return `${folder}/${id}.${format}`
      const bytes = await bytesOf(options, { link }, POSTER_UPLOAD_MAX_BYTES)
      const picture = readPicture(bytes)
      const fault = pictureFault(picture)
      if (picture === null || fault !== null)
        throw new SideFileError(`It cannot be a poster (${fault ?? 'unsupported_picture'}).`)
      return keep(`${id}.${picture.format}`, bytes)
    },
  }
}

async function bytesOf(
  options: SideFilesOptions,
  file: ServiceFile,
  maxBytes: number,
): Promise<Uint8Array> {
  if ('missing' in file) throw new SideFileError(file.missing)
  if ('link' in file) return download(options, file.link, maxBytes)
  try {
    return await file.read()
  } catch (error) {
    // A response of the API that is not as documented is this file's; what else is wrong is the service's.
    if (error instanceof CliError && error.code === 'unexpected_response')
      throw new SideFileError(error.message)
    throw error
  }
}

/** Failures of a link that may pass. */
const PASSING: readonly EgressErrorCode[] = [
  'timeout',
  'connection_refused',
  'connection_reset',
  'dns_error',
  'overloaded',
  'network_away',
]
const RETRIES_MAX = 3
const WAIT_MAX_MS = 60_000
const DEADLINE_MS = 60_000

/** Downloads a link of a response: the guard for addresses of others allows only https to public ones. */
async function download(
  { egress, signal, wait }: SideFilesOptions,
  url: string,
  maxResponseBytes: number,
): Promise<Uint8Array> {
  for (let failures = 0; ; failures += 1) {
    const outcome = await attempt(egress, { url, maxResponseBytes, signal })
    if (outcome instanceof Uint8Array) return outcome
    if (!outcome.mayPass || failures === RETRIES_MAX) throw new SideFileError(outcome.reason)
    const waitMs = Math.min(WAIT_MAX_MS, Math.max(1_000 * 2 ** failures, outcome.waitMs))
    await (wait ? wait(waitMs, signal) : sleep(waitMs, undefined, { signal }))
  }
}

interface FailedDownload {
  reason: string
  mayPass: boolean
  waitMs: number
}

async function attempt(
  egress: Egress,
  request: { url: string; maxResponseBytes: number; signal: AbortSignal },
): Promise<Uint8Array | FailedDownload> {
  try {
    const response = await egress.request({
      ...request,
      method: 'GET',
      headers: SOURCE_HEADERS,
      maxRedirects: SOURCE_MAX_REDIRECTS,
      deadlineMs: DEADLINE_MS,
      isUrgent: true,
    })
    if (response.status >= 200 && response.status <= 299) return await buffer(response.body)
    response.body.destroy()
    return refusalOf(response)
  } catch (error) {
    request.signal.throwIfAborted()
    if (!(error instanceof EgressError)) throw error
    return { reason: error.message, mayPass: PASSING.includes(error.code), waitMs: 0 }
  }
}

function refusalOf({ status, headers }: EgressResponse): FailedDownload {
  const get = (name: string): string | null => {
    const value = headers[name]
    return typeof value === 'string' ? value : null
  }
  return {
    reason: `The link responds with status ${status}.`,
    mayPass: status === 429 || status >= 500,
    waitMs: retryAfterMs({ get }, Date.now()) ?? 0,
  }
}
