import { describe, expect, it } from 'vitest'
import { whyNotMore } from './why-not-more.ts'

const rung = (height: number) => ({ width: (height * 16) / 9, height })
const rungs = [rung(360), rung(720), rung(1080)]
const big = { width: 3840, height: 2160 }
const small = { width: 640, height: 360 }
const facts = { rungs, frame: big, isFullScreen: false, hasObstacles: false, hasTrouble: false }

describe('why automatic quality plays no more', () => {
  it('has no reason while it plays the best rung', () => {
    expect(whyNotMore(rung(1080), facts)).toBeNull()
  })

  it('is the protection if the device may not show better rungs', () => {
    expect(whyNotMore(rung(1080), { ...facts, hasObstacles: true })).toBe('protection')
  })

  it('is the connection while a better rung would still fill the frame', () => {
    expect(whyNotMore(rung(720), facts)).toBe('connection')
    expect(whyNotMore(rung(360), { ...facts, frame: { width: 1280, height: 720 } })).toBe(
      'connection',
    )
  })

  it('is trouble if the player leaves out a better rung for a while', () => {
    expect(whyNotMore(rung(720), { ...facts, hasTrouble: true })).toBe('trouble')
    expect(whyNotMore(rung(360), { ...facts, frame: small, hasTrouble: true })).toBe('frame')
  })

  it('is the frame, or the screen in full screen, once the rung fills it', () => {
    expect(whyNotMore(rung(360), { ...facts, frame: small })).toBe('frame')
    expect(whyNotMore(rung(360), { ...facts, frame: small, isFullScreen: true })).toBe('screen')
  })

  it('compares a vertical video in one direction only, as the frame shows it', () => {
    const tall = (width: number) => ({ width, height: (width * 16) / 9 })
    const vertical = { ...facts, rungs: [tall(360), tall(720)], frame: small }
    expect(whyNotMore(tall(360), vertical)).toBe('frame')
  })
})
