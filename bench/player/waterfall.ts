import { basename } from 'node:path'
import { median } from '../load.ts'
import type { FirstFrame } from './browser-page.ts'

const KINDS: [RegExp, string][] = [
  [/\.mpd/, 'manifest'],
  [/\/licence/, 'licence'],
  [/init\.mp4/, 'init segments'],
  [/\/1\.m4s/, 'first segments'],
  [/\.m4s/, 'later segments'],
  [/\.css$/, 'style'],
  [/posters\/|\.jpg/, 'poster'],
]

/**
 * Describes the time before the first frame in lines: for each kind of request, the median start of
 * the first one and the median end of the last one.
 */
export function waterfall(frames: FirstFrame[]): string[] {
  const spans = new Map<string, { starts: number[]; ends: number[] }>()
  for (const { requests, firstFrameMs } of frames)
    for (const [kind, { startMs, endMs }] of spansOf(requests, firstFrameMs)) {
      const span = spans.get(kind) ?? { starts: [], ends: [] }
      span.starts.push(startMs)
      span.ends.push(endMs)
      spans.set(kind, span)
    }
  const rows = [...spans].map(([kind, { starts, ends }]) => ({
    kind,
    startMs: median(starts),
    endMs: median(ends),
  }))
  rows.sort((a, b) => a.startMs - b.startMs)
  const medianOf = (pick: (frame: FirstFrame) => number): number =>
    Math.round(median(frames.map(pick)))
  return [
    ...rows.map(
      ({ kind, startMs, endMs }) => `${kind} ${Math.round(startMs)}–${Math.round(endMs)} ms`,
    ),
    `first paint ${medianOf((frame) => frame.firstPaintMs)} ms`,
    `long tasks before the frame ${medianOf((frame) => frame.longTasksMs)} ms in all`,
    `first frame ${medianOf((frame) => frame.firstFrameMs)} ms`,
  ]
}

function spansOf(
  requests: FirstFrame['requests'],
  firstFrameMs: number,
): Map<string, { startMs: number; endMs: number }> {
  const spans = new Map<string, { startMs: number; endMs: number }>()
  for (const [index, { url, startMs, endMs }] of requests.entries()) {
    if (startMs > firstFrameMs) continue
    const kind = index === 0 ? 'page' : kindOf(url)
    const span = spans.get(kind)
    spans.set(kind, {
      startMs: Math.min(span?.startMs ?? startMs, startMs),
      endMs: Math.max(span?.endMs ?? endMs, endMs),
    })
  }
  return spans
}

function kindOf(url: string): string {
  const { pathname } = new URL(url)
  return KINDS.find(([pattern]) => pattern.test(pathname))?.[1] ?? basename(pathname)
}
