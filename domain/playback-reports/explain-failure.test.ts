import { describe, expect, it } from 'vitest'
import { explainFailure, settingOf, settingPath, shortDuration } from './explain-failure.ts'
import { FAILURE_TEXTS } from './failure-texts.ts'
import { isPlaybackCause, PLAYBACK_CAUSES } from './playback-causes.ts'

const CAUSES = Object.keys(PLAYBACK_CAUSES).filter(isPlaybackCause)
const UNKNOWN = { host: null, viewer: null, device: null, ago: null, status: null }
const KNOWN = {
  host: 'lms.example.org',
  viewer: 'ann',
  device: 'Firefox on Linux',
  ago: '3 h',
  status: '503',
}

describe('the explanation of a failure', () => {
  it('names the facts that are known', () => {
    const explain = (cause: keyof typeof FAILURE_TEXTS) =>
      explainFailure(FAILURE_TEXTS[cause], KNOWN)
    expect(explain('domain_not_allowed').next).toBe('Add lms.example.org to the allowed domains.')
    expect(explain('token_expired').message).toContain('expired 3 h before')
    expect(explain('drm_no_cdm').message).toMatch(/^Firefox on Linux has no DRM/)
    expect(explain('viewer_revoked').next).toContain('Restore ann')
  })

  it('is whole without any fact, for every cause', () => {
    for (const cause of CAUSES) {
      const { message, next } = explainFailure(FAILURE_TEXTS[cause], UNKNOWN)
      for (const text of [message, next]) expect(text, cause).toMatch(/^[A-Z][^{}]+[.)]$/)
    }
  })

  it('leaves no fact out of a text that names one', () => {
    for (const cause of CAUSES) {
      const text = FAILURE_TEXTS[cause]
      const explained = explainFailure(text, KNOWN)
      const facts = Object.values(KNOWN)
      if (text.messageWithFacts !== undefined)
        expect(facts.some((fact) => explained.message.includes(fact))).toBe(true)
      if (text.nextWithFacts !== undefined)
        expect(facts.some((fact) => explained.next.includes(fact))).toBe(true)
      expect(explained.message + explained.next).not.toMatch(/[{}]\w/)
    }
  })
})

describe('the setting of a failure', () => {
  it('is a page below that of the account', () => {
    for (const cause of CAUSES) {
      const setting = settingOf(cause)
      if (setting === null) continue
      for (const video of [null, 'ab12'])
        expect(settingPath(setting, video)).toMatch(/^(settings|security|videos|developers)/)
    }
    expect(settingPath('embed', 'ab12')).toBe('videos/ab12/embed')
    expect(settingPath('video', null)).toBe('videos')
  })
})

describe('a duration', () => {
  it('has one unit', () => {
    expect([59, 60, 7200, 3 * 86_400 + 5].map(shortDuration)).toEqual([
      '59 s',
      '1 min',
      '2 h',
      '3 d',
    ])
  })
})
