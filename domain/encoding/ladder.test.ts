import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Protection } from '../accounts/plan.ts'
import { planLadder } from './ladder.ts'

const EVERY = [240, 360, 480, 720, 1080, 1440, 2160]
const names = (width: number, height: number, availableResolutions = EVERY): string[] =>
  planLadder({ width, height, availableResolutions }).map(({ name }) => name)

describe('the ladder', () => {
  it('is named by the short side, never exceeds the source, and begins with the lowest useful rung', () => {
    expect(names(1920, 1080)).toEqual(['360p', '240p', '480p', '720p', '1080p'])
    expect(names(1080, 1920)).toEqual(['360p', '240p', '480p', '720p', '1080p'])
    expect(names(3840, 2160)).toHaveLength(7)
    expect(names(426, 240)).toEqual(['240p'])
  })

  it('gives a tiny source one rung of its size, made even', () => {
    const [rung, ...rest] = planLadder({
      width: 177,
      height: 145,
      availableResolutions: EVERY,
      protection: 'clearkey',
    })
    expect(rung).toMatchObject({ name: '144p', width: 176, height: 144 })
    expect(rest).toEqual([])
  })

  it('is limited to the resolutions of the account', () => {
    expect(names(1920, 1080, [720, 480])).toEqual(['480p', '720p'])
    expect(names(1920, 1080, [2160])).toEqual(['240p'])
  })

  it('has SD, HD and UHD keys', () => {
    const rungs = planLadder({
      width: 3840,
      height: 2160,
      availableResolutions: EVERY,
      protection: 'clearkey',
    })
    const types = Object.fromEntries(rungs.map((rung) => [rung.name, rung.trackType]))
    expect(types).toMatchObject({ '480p': 'SD', '720p': 'HD', '1080p': 'HD', '1440p': 'UHD' })
  })

  it('assigns rungs to keys by their pixels for Multi-DRM, and by their short sides for ClearKey', () => {
    const types = (width: number, height: number, protection: Protection) =>
      planLadder({ width, height, availableResolutions: EVERY, protection }).map(
        ({ name, trackType }) => `${name} ${trackType}`,
      )
    const usual = ['360p SD', '240p SD', '480p SD', '720p HD', '1080p HD']
    expect(types(1920, 1080, 'multi-drm')).toEqual(usual)
    expect(types(1920, 1080, 'clearkey')).toEqual(usual)
    // 2,560 × 1,080 pixels are more than the 2,073,600 of the contract's HD.
    expect(types(2560, 1080, 'multi-drm').at(-1)).toBe('1080p UHD')
    expect(types(2560, 1080, 'clearkey').at(-1)).toBe('1080p HD')
    // 1,440 × 480 are more than the 589,824 of SD; 720 × 720 are fewer.
    expect(types(1440, 480, 'multi-drm').at(-1)).toBe('480p HD')
    expect(types(720, 720, 'multi-drm').at(-1)).toBe('720p SD')
    expect(types(3840, 2160, 'multi-drm').at(-1)).toBe('2160p UHD')
  })

  it.each([
    [16_384, 64, '32p', 8192, 32],
    [64, 16_384, '32p', 32, 8192],
    [1920, 2, '8p', 7680, 8],
    [640, 8, '16p', 1280, 16],
    [1, 1, '16p', 16, 16],
  ])(
    'keeps the shape of a picture with a very long or a very short side: %s × %s',
    (width, height, name, ...size) => {
      const [rung] = planLadder({ width, height, availableResolutions: EVERY })
      expect(rung).toMatchObject({ name, width: size[0], height: size[1] })
    },
  )

  it('has no rung that is larger than the largest picture of the shape of the source', () => {
    expect(names(16_384, 1000)).toEqual(['360p', '240p', '480p'])
  })

  it('has even sizes, keeps the aspect ratio, and has at least one rung for every source', () => {
    const size = fc.integer({ min: 2, max: 16_384 })
    fc.assert(
      fc.property(size, size, fc.subarray(EVERY), (width, height, availableResolutions) => {
        const rungs = planLadder({ width, height, availableResolutions })
        expect(rungs.length).toBeGreaterThan(0)
        expect(new Set(rungs.map(({ name }) => name)).size).toBe(rungs.length)
        for (const rung of rungs) {
          expect(rung.width % 2).toBe(0)
          expect(rung.height % 2).toBe(0)
          expect(Math.max(rung.width, rung.height)).toBeLessThanOrEqual(8192)
          // The short side is even, so a shape of more than 4096:1 cannot be kept.
          const shape = Math.min(4096, Math.max(width, height) / Math.min(width, height))
          const short = Math.min(rung.width, rung.height)
          const long = Math.max(rung.width, rung.height)
          expect(Math.abs(long - shape * short)).toBeLessThanOrEqual(1.001)
          expect(Math.min(rung.width, rung.height)).toBeLessThanOrEqual(
            Math.max(16, Math.min(width, height) + 1),
          )
        }
      }),
    )
  })
})
