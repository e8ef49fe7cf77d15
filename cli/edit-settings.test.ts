import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { DEFAULT_PLAYER_SETTINGS } from '../domain/player-settings.ts'
import { applyAssignments, parseAssignment } from './edit-settings.ts'
import { UsageError } from './errors.ts'
import { playerSettingsSchema } from '../views/player-settings.ts'
import { SETTING_HINTS } from './setting-hints.ts'

const set = (...texts: string[]) =>
  applyAssignments(DEFAULT_PLAYER_SETTINGS, texts.flatMap(parseAssignment))

describe('an assignment of a setting', () => {
  it('takes JSON where the value parses as such, else text', () => {
    expect(parseAssignment('watermark.required=true')).toEqual([
      { path: 'watermark.required', value: true },
    ])
    expect(parseAssignment('colors.accent=#ff0000')).toEqual([
      { path: 'colors.accent', value: '#ff0000' },
    ])
    expect(parseAssignment('subtitles.default_language=null')).toEqual([
      { path: 'subtitles.default_language', value: null },
    ])
  })

  it('keeps every equals sign behind the first', () => {
    expect(parseAssignment('theme=a=b')).toEqual([{ path: 'theme', value: 'a=b' }])
  })

  it('of a group stands for the settings that it names', () => {
    expect(set('watermark={"enabled":true,"size":"large"}').watermark).toEqual({
      ...DEFAULT_PLAYER_SETTINGS.watermark,
      enabled: true,
      size: 'large',
    })
  })

  it.each([
    'theme',
    '=x',
    'nothing=1',
    'watermark.nothing=1',
    'watermark=true',
    'watermark={"nothing":1}',
    '__proto__.polluted=1',
    'constructor.prototype=1',
    'theme.x=1',
  ])('%s is refused', (text) => {
    expect(() => set(text)).toThrow(UsageError)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('the values of settings', () => {
  it.each([
    'theme=blue',
    'colors.text=red',
    'available_resolutions=[]',
    'available_resolutions=[721]',
    'available_resolutions=720',
    'subtitles.default_language=english language',
    'watermark.enabled=yes',
    'watermark.opacity=0',
    'allowed_domains=a.example',
    'allowed_domains=["https://a.example"]',
    'allowed_domains=["a.example:8080"]',
    'allowed_domains=["*"]',
    'blocked_domains=["a.*.example"]',
    'blocked_domains=[""]',
  ])('%s is refused with what is allowed', (text) => {
    expect(() => set(text)).toThrow(/allowed: /)
  })

  it('brings domains into the form in which browsers send them', () => {
    expect(set('allowed_domains=["A.Example"," *.Bücher.example "]').allowed_domains).toEqual([
      'a.example',
      '*.xn--bcher-kva.example',
    ])
  })

  it('keeps each resolution once, in order', () => {
    expect(set('available_resolutions=[1080,240,240]').available_resolutions).toEqual([240, 1080])
  })

  it('leaves what it was given untouched', () => {
    const before = structuredClone(DEFAULT_PLAYER_SETTINGS)
    set('watermark.required=true', 'colors.text=#123456')
    expect(DEFAULT_PLAYER_SETTINGS).toEqual(before)
  })

  it('has a hint for each setting that there is', () => {
    const paths = Object.entries(DEFAULT_PLAYER_SETTINGS).flatMap(([name, value]) =>
      typeof value === 'object' && !Array.isArray(value)
        ? Object.keys(value).map((inner) => `${name}.${inner}`)
        : [name],
    )
    expect(Object.keys(SETTING_HINTS).toSorted()).toEqual(paths.toSorted())
    expect(playerSettingsSchema.parse(DEFAULT_PLAYER_SETTINGS)).toEqual(DEFAULT_PLAYER_SETTINGS)
  })

  it('whatever is assigned, the result is valid or the command line is blamed', () => {
    const path = fc.oneof(fc.constantFrom(...Object.keys(SETTING_HINTS)), fc.string())
    fc.assert(
      fc.property(path, fc.oneof(fc.json(), fc.string()), (name, value) => {
        try {
          playerSettingsSchema.parse(set(`${name}=${value}`))
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError)
        }
      }),
    )
  })
})
