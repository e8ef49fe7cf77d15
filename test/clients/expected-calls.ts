import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { FilledService } from './service.ts'

const lineSchema = z.object({ call: z.string(), result: z.array(z.unknown()) })

/** What each call prints: ten that succeed, then five that are refused, in any order. */
export function expectedCalls({ ready, failed, encodedMinutes }: FilledService, name: string) {
  const invalid = 'invalid_request_error'
  return new Map<string, unknown[]>([
    ['listVideos', [2, false, failed.error?.code, null]],
    ['getVideo', ['ready', ready.size_bytes, ready.resolutions, null]],
    ['getVideoStatus', ['ready', ready.duration, 100]],
    ['updateVideo', [name]],
    ['createFolder', [name, null]],
    ['listFolders', [name, 0]],
    ['createWebhookEndpoint', [true, null, true]],
    ['listEvents', ['video.ready', ready.id]],
    ['getUsage', [encodedMinutes, null]],
    ['deleteFolder', [true, true]],
    ['invalid_api_key', [401, 'invalid_api_key', 'authentication_error', true, true]],
    ['video_not_found', [404, 'video_not_found', invalid, true, true]],
    ['folder_exists', [409, 'folder_exists', 'conflict_error', true, true]],
    ['folder_not_found', [400, 'folder_not_found', invalid, true, true]],
    ['invalid_chapter_range', [422, 'invalid_chapter_range', invalid, true, true]],
  ])
}

/** Compares what a program printed. Throws with each difference. */
export function compareCalls(output: string, expected: Map<string, unknown[]>): void {
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  const printed = new Map(
    lines.map((line) => {
      const { call, result } = lineSchema.parse(JSON.parse(line))
      return [call, result]
    }),
  )
  const wrong = [...expected]
    .filter(([call, result]) => !isDeepStrictEqual(printed.get(call), result))
    .map(([call, result]) => `${call}: ${shown(printed.get(call))} instead of ${shown(result)}`)
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
}

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing'
