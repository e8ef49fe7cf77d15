import { describe, expect, it } from 'vitest'
import type { SourceFacts } from '../ingest/source-facts.ts'
import {
  chooseRungs,
  isWorthSampling,
  piecesOf,
  type RungSample,
  type Score,
} from './choose-rungs.ts'
import { planLadder } from './ladder.ts'

const ladder = planLadder({
  width: 1920,
  height: 1080,
  availableResolutions: [240, 360, 480, 720, 1080],
  mode: 'quality',
})
const CRF = 23.5

const score = (ssimDb: number, psnrDb: number, sizeBytes = 100): Score => ({
  ssimDb,
  psnrDb,
  sizeBytes,
})

/** Samples of all rungs whose sizes double, and whose scores are those of an ordinary video unless `given`. */
const samples = (given: Record<string, Partial<RungSample>> = {}): RungSample[] =>
  ['240p', '360p', '480p', '720p', '1080p'].map((name, index) => ({
    name,
    fine: [score(17.5, 42, 100 * 2 ** index)],
    coarse: [score(15, 39)],
    fromBelowDb: index === 0 ? [] : [12],
    ...given[name],
  }))

const crfOf = (given: Partial<RungSample>): number | undefined =>
  chooseRungs(ladder, samples({ '720p': given })).find(({ name }) => name === '720p')?.crf

describe('the CRF of a rung', () => {
  it.each([
    ['stays for an ordinary video', score(17.5, 42), score(15, 39), CRF],
    ['rises as far as it may for flat pictures', score(23, 47), score(20, 42), CRF + 4],
    ['rises until the SSIM is at its target', score(19.24, 47), score(17.24, 42), CRF + 2],
    ['rises until the PSNR is at its target, for letters', score(24, 41), score(22, 37), CRF + 1],
    [
      'rises where nothing is lost, as on grain at its rate cap',
      score(5.5, 30),
      score(5.3, 29.9),
      CRF + 4,
    ],
  ])('%s', (_title, fine, coarse, expected) => {
    expect(crfOf({ fine: [fine], coarse: [coarse] })).toBe(expected)
  })

  it('is that of the most difficult piece', () => {
    const fine = [score(23, 47), score(17.5, 42)]
    expect(crfOf({ fine, coarse: [score(20, 42), score(15, 39)] })).toBe(CRF)
  })

  it('of the first rung stays, because that is being encoded', () => {
    const easy = { fine: [score(23, 47)], coarse: [score(20, 42)] }
    expect(chooseRungs(ladder, samples({ '360p': easy }))[0]).toEqual(ladder[0])
  })
})

describe('a rung that brings nothing', () => {
  const namesOf = (given: Record<string, Partial<RungSample>>): string[] =>
    chooseRungs(ladder, samples(given)).map(({ name }) => name)

  it.each([
    ['as good as itself', 17.5, 17.2],
    ['hardly different from the source', 25, 21.5],
  ])('is left out if the next lower one is %s in its size', (_title, ownDb, belowDb) => {
    const sharp = { fine: [score(ownDb, 42, 400)], fromBelowDb: [belowDb] }
    expect(namesOf({ '480p': sharp })).toEqual(['360p', '240p', '720p', '1080p'])
  })

  it('is left out if it has nearly the bytes of the next higher one', () => {
    const fine = [score(17.5, 42, 790)]
    expect(namesOf({ '480p': { fine } })).toEqual(['360p', '240p', '720p', '1080p'])
  })

  it('stays if it is the first, the largest, or the neighbour of one that is left out', () => {
    const same = { fromBelowDb: [17.5] }
    const all = { '240p': same, '360p': same, '480p': same, '720p': same, '1080p': same }
    expect(namesOf(all)).toEqual(['360p', '720p', '1080p'])
  })

  it('stays if the samples do not show it', () => {
    expect(chooseRungs(ladder, [])).toEqual(ladder)
  })
})

describe('trial encodes', () => {
  const video = { durationMs: 600_000 } as SourceFacts
  const cut = { chunkFrames: 960, count: 19 }

  it('are made for videos of at least five minutes that can be cut, where the operator wants quality', () => {
    expect(isWorthSampling('quality', video, ladder, cut)).toBe(true)
    expect(isWorthSampling('speed', video, ladder, cut)).toBe(false)
    expect(isWorthSampling('quality', { ...video, durationMs: 299_000 }, ladder, cut)).toBe(false)
    expect(isWorthSampling('quality', video, ladder, { ...cut, count: 1 })).toBe(false)
    expect(isWorthSampling('quality', video, ladder.slice(0, 1), cut)).toBe(false)
  })

  it('are made of three pieces of two seconds, evenly spread', () => {
    const pieces = piecesOf({ frameRate: '30/1' }, 600_000)
    expect(pieces.map(({ startFrame, endFrame }) => [startFrame / 30, endFrame])).toEqual([
      [100, 3_060],
      [300, 9_060],
      [500, 15_060],
    ])
  })
})
