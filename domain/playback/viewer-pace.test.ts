import { describe, expect, it } from 'vitest'
import type { VideoStatus } from '../videos/video-state.ts'
import { createViewerPace } from './viewer-pace.ts'

/** Simulates viewers who obey; returns how many heartbeats come in each second. */
function simulate(viewers: number, status: VideoStatus, seconds: number): number[] {
  const pace = createViewerPace()
  const dueAt = Array.from({ length: viewers }, (_, at) => (at * 5) / viewers)
  return Array.from({ length: seconds }, (_, second) => {
    let count = 0
    for (const [at, due] of dueAt.entries()) {
      if (due >= second + 1) continue
      count += 1
      dueAt[at] = due + pace.heartbeat({ status, isWaiting: false }, due * 1000)
    }
    return count
  })
}

const mean = (values: number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

describe('the pace of heartbeats', () => {
  it.each([
    ['ready', false, 58.8, 60],
    ['queued', true, 58.8, 60],
    ['processing', false, 4.9, 5],
    ['playable', false, 4.9, 5],
  ] as const)(
    'of one viewer of a %s video (waiting: %s) is %d to %d s',
    (status, isWaiting, from, to) => {
      const pace = createViewerPace()
      for (let at = 0; at < 100; at += 1) {
        const seconds = pace.heartbeat({ status, isWaiting }, at * 60_000)
        expect(seconds).toBeGreaterThanOrEqual(from)
        expect(seconds).toBeLessThanOrEqual(to)
      }
    },
  )

  it('of a few viewers is that of one', () => {
    expect(mean(simulate(40, 'playable', 120).slice(30))).toBeCloseTo(8, 0)
  })

  it('slows down for a crowd within seconds, and never below one a minute', () => {
    const perSecond = simulate(2_000, 'processing', 420)
    // They come once each in the first five seconds.
    expect(mean(perSecond.slice(10, 60))).toBeLessThan(120)
    expect(mean(perSecond.slice(120))).toBeGreaterThan(2_000 / 60 - 3)
    expect(mean(perSecond.slice(120))).toBeLessThan(2_000 / 50)
  })

  it('is fast again when the crowd is gone', () => {
    const pace = createViewerPace(() => 0)
    const viewer = { status: 'playable', isWaiting: false } as const
    for (let at = 0; at < 3_000; at += 1) pace.heartbeat(viewer, at)
    expect(pace.heartbeat(viewer, 3_000)).toBe(60)
    expect(pace.heartbeat(viewer, 600_000)).toBe(5)
  })

  it('of a reader who waits is two seconds, and five in a crowd', () => {
    const pace = createViewerPace(() => 0)
    const viewer = { isSoon: false }
    expect(pace.read(viewer, 0)).toBe(2)
    for (let at = 0; at < 240_000; at += 1) pace.read(viewer, at)
    expect(pace.read(viewer, 240_000)).toBe(5)
  })

  it('of a reader whose part is being encoded is half a second, and that of the others in a crowd', () => {
    const pace = createViewerPace(() => 0)
    const viewer = { isSoon: true }
    expect(pace.read(viewer, 0)).toBe(0.5)
    for (let at = 0; at < 240_000; at += 1) pace.read(viewer, at)
    expect(pace.read(viewer, 240_000)).toBe(5)
  })
})
