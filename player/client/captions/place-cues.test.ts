import { describe, expect, it } from 'vitest'
import { placeCues } from './place-cues.ts'

const RATIO = 9 / 16

const file = (region: string, ...cues: string[]): string =>
  ['WEBVTT', `REGION\n${region}`, ...cues].join('\n\n')

/** The settings of each cue of the placed file. */
const settings = (text: string): string[] =>
  [...placeCues(text, RATIO).matchAll(/-->[ \t]+\S+[ \t]*(.*)/g)].map(([, found = '']) => found)

describe('a cue in a region', () => {
  it.each([
    ['id:a', '', 'line:94% position:50% size:100% align:center'],
    [
      'id:a width:40% lines:3\nregionanchor:0%,100% viewportanchor:10%,90%',
      '',
      'line:84% position:30% size:40% align:center',
    ],
    [
      'id:a width:40% lines:2 regionanchor:100%,0% viewportanchor:90%,10%',
      'align:start',
      'line:16% position:50% size:40% align:start',
    ],
    ['id:a width:50%', 'position:100% align:end', 'line:94% position:50% size:50% align:end'],
  ])('of %j with %j is placed: %s', (region, own, placed) =>
    expect(settings(file(region, `00:01.000 --> 00:02.000 region:a ${own}\nHello`))).toEqual([
      placed,
    ]),
  )

  it('stands above those that come into the region while it is shown', () => {
    const one = '00:01.000 --> 00:05.000 region:a\nOne\ntwo'
    const three = '00:03.000 --> 00:06.000 region:a\nThree'
    const four = '00:05.000 --> 00:06.000 region:a\nFour'
    expect(settings(file('id:a', one, three, four))).toEqual([
      'line:82% position:50% size:100% align:center',
      'line:88% position:50% size:100% align:center',
      'line:94% position:50% size:100% align:center',
    ])
  })

  it.each(['line:0', 'size:30%'])('is not in it with %s of its own', (own) => {
    const text = file('id:a', `00:01.000 --> 00:02.000 region:a ${own}\nHello`)
    expect(placeCues(text, RATIO)).toBe(text)
  })

  it('of an unknown region stays where it is', () => {
    const text = file('id:a', '1\n00:01.000 --> 00:02.000 region:b\nHello')
    expect(placeCues(text, RATIO)).toBe(text)
  })
})

describe('a vertical cue of two lines', () => {
  it.each([
    ['vertical:rl', 'vertical:rl line:0%'],
    ['vertical:lr', 'vertical:lr line:93.25%'],
    ['vertical:rl line:0 align:start', 'vertical:rl line:93.25% align:start'],
    ['vertical:rl line:2', 'vertical:rl line:86.5%'],
    ['vertical:lr line:1', 'vertical:lr line:3.38%'],
    ['vertical:rl line:-2', 'vertical:rl line:3.38%'],
    ['vertical:lr line:30% position:10%', 'vertical:lr line:30% position:10%'],
  ])('with %j is placed: %s', (own, placed) =>
    expect(settings(`WEBVTT\n\n00:01.000 --> 00:02.000 ${own}\nOne\ntwo\n`)).toEqual([placed]),
  )
})

it('settings are read in a moment, however long their names are', () => {
  const startedAt = performance.now()
  const cue = `00:00.000 --> 00:01.000 region:a ${'x'.repeat(200_000)}`
  expect(settings(file('id:a', `${cue}\nHi`))).toHaveLength(1)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
