import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SETTING_BY_NAME } from '../domain/settings/declarations.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../domain/settings/player-settings.ts'
import { playerSettingsSchema } from '../views/player-settings.ts'
import { UsageError } from './errors.ts'
import { applyAssignments, parseAssignment } from './setting-assignments.ts'

const set = (...texts: string[]) =>
  applyAssignments(DEFAULT_PLAYER_SETTINGS, texts.flatMap(parseAssignment))

describe('an assignment of a setting', () => {
  it('treats the value as JSON if possible, otherwise as text', () => {
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

  it('keeps every equals sign after the first', () => {
    expect(parseAssignment('theme=a=b')).toEqual([{ path: 'theme', value: 'a=b' }])
  })

  it('of a group assigns the settings in the object', () => {
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
  ])('%s is refused with the allowed values', (text) => {
    expect(() => set(text)).toThrow(/allowed: /)
  })

  it('converts domains to the form that browsers send', () => {
    expect(set('allowed_domains=["A.Example"," *.Bücher.example "]').allowed_domains).toEqual([
      'a.example',
      '*.xn--bcher-kva.example',
    ])
  })

  it('keeps each resolution once, in order', () => {
    expect(set('available_resolutions=[1080,240,240]').available_resolutions).toEqual([240, 1080])
  })

  it('does not change its input', () => {
    const before = structuredClone(DEFAULT_PLAYER_SETTINGS)
    set('watermark.required=true', 'colors.text=#123456')
    expect(DEFAULT_PLAYER_SETTINGS).toEqual(before)
  })

  it.each([...SETTING_BY_NAME.keys()])('%s is listed for an unknown setting', (name) => {
    expect(() => set('nothing=1')).toThrow(`  ${name} = `)
  })

  it('for any assignment, the result is valid or a UsageError', () => {
    const path = fc.oneof(fc.constantFrom(...SETTING_BY_NAME.keys()), fc.string())
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
