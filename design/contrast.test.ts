import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Scheme = 'light' | 'dark'

/** The declarations of `:root`, without those of media queries. */
const declared = new Map(
  [
    ...readFileSync(new URL('./colours.css', import.meta.url), 'utf8')
      .replaceAll(/@media[^{]*\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
      .matchAll(/--([\w-]+):\s*([^;]+);/g),
  ].map(([, name = '', value = '']) => [name, value.replaceAll(/\s+/g, ' ')]),
)

/** Returns the hex colour of a token in a scheme. Throws for one that is no plain colour. */
function colourOf(token: string, scheme: Scheme): string {
  const value = declared.get(token)
  if (value === undefined) throw new Error(`no token --${token}`)
  const [, light = '', dark = ''] = /^light-dark\((.+), (.+)\)$/.exec(value) ?? []
  const chosen = light === '' ? value : scheme === 'light' ? light : dark
  const [, name] = /^var\(--([\w-]+)\)$/.exec(chosen) ?? []
  if (name !== undefined) return colourOf(name, scheme)
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(chosen)?.[1]
  if (hex === undefined) throw new Error(`--${token} is ${chosen}`)
  return hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex
}

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const SURFACES = ['page', 'sunken', 'surface', 'raised']
const TONES = ['accent', 'danger', 'warning', 'success', 'info']

/** What is read, and on what. */
const TEXTS: [text: string, ground: string][] = [
  ...SURFACES.flatMap((ground): [string, string][] => [
    ['text', ground],
    ['text-quiet', ground],
    ...TONES.map((tone): [string, string] => [`${tone}-text`, ground]),
  ]),
  ...TONES.flatMap((tone): [string, string][] => [
    [`${tone}-text`, `${tone}-soft`],
    ['text', `${tone}-soft`],
  ]),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-danger', 'danger'],
  ['on-picture', 'picture'],
  ...['keyword', 'text', 'name', 'number'].map((part): [string, string] => [
    `code-${part}`,
    'sunken',
  ]),
]

/** What must be seen, and before what: the edges of fields, the ring of the focus, marks and lines. */
const MARKS = ['page', 'surface', 'raised'].flatMap((ground): [string, string][] => [
  ['edge', ground],
  ['focus', ground],
  ...['danger', 'warning', 'success', 'info'].map((tone): [string, string] => [
    `mark-${tone}`,
    ground,
  ]),
])

describe.each(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
  it.each(TEXTS)('--%s is readable on --%s: 4.5:1', (text, ground) => {
    expect(contrast(colourOf(text, scheme), colourOf(ground, scheme))).toBeGreaterThanOrEqual(4.5)
  })

  it.each(MARKS)('--%s can be seen on --%s: 3:1', (mark, ground) => {
    expect(contrast(colourOf(mark, scheme), colourOf(ground, scheme))).toBeGreaterThanOrEqual(3)
  })
})

it('every colour of text, surface and mark has a pair', () => {
  const paired = new Set([...TEXTS, ...MARKS].flat())
  const named = [...declared.keys()].filter((name) =>
    /^(text|text-quiet|on-.+|.+-text|.+-soft|mark-.+|code-.+|page|sunken|surface|raised|edge|focus)$/.test(
      name,
    ),
  )
  expect(named.filter((name) => !paired.has(name))).toEqual([])
})
