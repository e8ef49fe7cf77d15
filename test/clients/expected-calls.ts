import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { FilledService } from './service.ts'

const lineSchema = z.object({ call: z.string(), result: z.array(z.unknown()) })

/** What the calls of a client print, in any order. */
export interface ExpectedCalls {
  made: ReadonlyMap<string, unknown[]>
  refused: ReadonlyMap<string, unknown[]>
}

/** The calls of a client, which calls `name` what it makes. */
export const expectedCalls = (service: FilledService, name: string): ExpectedCalls => ({
  made: new Map([...callsOfAll(service, name), ...callsOfOwnData(service, name)]),
  refused: refusedCalls(),
})

const callsOfAll = (
  { ready, failed, encodedMinutes, pictureBytes }: FilledService,
  name: string,
): [string, unknown[]][] => [
  ['listVideos', [2, false, failed.error?.code, null]],
  ['getVideo', ['ready', true, ready.resolutions, null]],
  ['getVideoStatus', ['ready', ready.duration, 100]],
  ['updateVideo', [name]],
  ['createFolder', [name, null]],
  ['listFolders', [name, 0]],
  ['createWebhookEndpoint', [true, null, true]],
  ['listEvents', ['video.ready', ready.id]],
  ['getUsage', [encodedMinutes, null]],
  ['deleteFolder', [true, true]],
  ['uploadPoster', ['pending', 'png', pictureBytes]],
  ['getPosterUpload', [ready.id, null]],
]

/** What integrators keep with videos, find and import by it. */
const callsOfOwnData = ({ ready }: FilledService, name: string): [string, unknown[]][] => [
  ['setOwnData', [name, ['Algebra', 'Year 7'], { course: '7', teacher: 'Ada' }]],
  ['removeOwnData', [{ course: '7' }]],
  ['findVideos', [1, ready.id, true]],
  [BY_METADATA, [1, ready.id]],
  ['nextPage', [1, true, 1, false, true]],
  ['search', [1, ready.id, 'en', 1.5, ['energy']]],
  ['createImport', ['running', 1, null]],
  ['getImport', ['completed', 1, 0]],
  ['listImportLines', [1, 'exists', name, ready.id, null]],
  ['cancelImport', ['cancelled', 1]],
]

/** A parameter of the style `deepObject`, which some generators do not write. */
export const BY_METADATA = 'findVideosByMetadata'

function refusedCalls(): Map<string, unknown[]> {
  const invalid = 'invalid_request_error'
  return new Map([
    ['invalid_api_key', [401, 'invalid_api_key', 'authentication_error', true, true]],
    ['video_not_found', [404, 'video_not_found', invalid, true, true]],
    ['folder_exists', [409, 'folder_exists', 'conflict_error', true, true]],
    ['folder_not_found', [400, 'folder_not_found', invalid, true, true]],
    ['invalid_chapter_range', [422, 'invalid_chapter_range', invalid, true, true]],
    ['external_id_taken', [409, 'external_id_taken', 'conflict_error', true, true]],
  ])
}

/** Compares what a program printed. Throws with each difference. */
export function compareCalls(
  output: string,
  { made, refused }: ExpectedCalls,
  lacks: readonly string[] = [],
): void {
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  const printed = new Map(
    lines.map((line) => {
      const { call, result } = lineSchema.parse(JSON.parse(line))
      return [call, result]
    }),
  )
  const wrong = [...made, ...refused]
    .filter(([call]) => !lacks.includes(call))
    .filter(([call, result]) => !isDeepStrictEqual(printed.get(call), result))
    .map(([call, result]) => `${call}: ${shown(printed.get(call))} instead of ${shown(result)}`)
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
}

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing'
