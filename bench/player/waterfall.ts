import { basename } from 'node:path'
import { median } from '../load.ts'
import type { FirstFrame } from './frame-watch.ts'

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
 * Where the milliseconds before the first frame go, in lines: for each kind of request the medians
 * of when its first one left and its last one had arrived.
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
  const of = (pick: (frame: FirstFrame) => number): number => Math.round(median(frames.map(pick)))
  return [
    ...rows.map(
      ({ kind, startMs, endMs }) => `${kind} ${Math.round(startMs)}–${Math.round(endMs)} ms`,
    ),
    `first paint ${of((frame) => frame.firstPaintMs)} ms`,
    `long tasks before the frame ${of((frame) => frame.longTasksMs)} ms in all`,
    `first frame ${of((frame) => frame.firstFrameMs)} ms`,
  ]
}

function spansOf(
  requests: FirstFrame['requests'],
  firstFrameMs: number,
): Map<string, { startMs: number; endMs: number }> {
  const spans = new Map<string, { startMs: number; endMs: number }>()
  for (const [at, { url, startMs, endMs }] of requests.entries()) {
    if (startMs > firstFrameMs) continue
    const kind = at === 0 ? 'page' : kindOf(url)
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
