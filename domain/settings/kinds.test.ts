import { describe, expect, it } from 'vitest'
import { SETTING_BY_NAME, SETTINGS } from './declarations.ts'
import { accepts } from './kinds.ts'
import type { SettingName } from './player-settings.ts'

describe('a setting', () => {
  it.each([...SETTING_BY_NAME])('%s takes its default', (_name, setting) => {
    expect(accepts(setting, setting.default)).toBe(true)
  })

  const values: [SettingName, unknown[], unknown[]][] = [
    ['keep_original', [true], ['true', 1, null]],
    ['theme', ['light'], ['blue', '', null]],
    ['colors.accent', ['#fff', '#4F8CFF'], ['red', '#ffff', '#ggg', null]],
    ['subtitles.default_language', ['en', 'pt-BR', null], ['', 'english language', 7]],
    ['watermark.opacity', [0.05, 1], [0, 0.04, 1.01, Number.NaN, '1']],
    ['concurrent_plays.limit', [1, 2, 20, null], [0, -1, 1.5, 21, Number.NaN, Infinity]],
    ['available_resolutions', [[240], [1080, 240]], [[], [721], 720, ['720']]],
    [
      'allowed_domains',
      [['a.example', '*.b.example']],
      [['https://a.example'], ['*'], 'a.example'],
    ],
  ]
  it.each(values)('%s takes %j, and refuses %j', (name, accepted, refused) => {
    for (const value of accepted) expect(accepts(SETTINGS[name], value)).toBe(true)
    for (const value of refused) expect(accepts(SETTINGS[name], value)).toBe(false)
  })
})

describe('the link at the end of a video', () => {
  const address = SETTINGS['end_screen.link_url']
  const text = SETTINGS['end_screen.link_text']

  it.each(['https://a.example/next?x=1#y', 'http://localhost:3000/', 'https://ü.example', null])(
    'may be %s',
    (value) => expect(accepts(address, value)).toBe(true),
  )

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://a.example/x',
    '//a.example',
    '/next',
    'a.example',
    'https://ann:secret@a.example/',
    'https://',
    '',
    `https://a.example/${'x'.repeat(address.max)}`,
  ])('may not be %s', (value) => expect(accepts(address, value)).toBe(false))

  it('has a text of one line', () => {
    expect(accepts(text, 'Next lesson →')).toBe(true)
    expect(accepts(text, 'x'.repeat(text.max))).toBe(true)
    for (const value of ['', '  ', 'a\nb', 'a\u0000b', 'x'.repeat(text.max + 1)])
      expect(accepts(text, value)).toBe(false)
  })
})
