import { describe, expect, it } from 'vitest'
import { decodeFailureCode, encodeFailureCode, FAILURE_CODE_RANDOM_MAX } from './failure-code.ts'
import { isPlaybackCause, PLAYBACK_CAUSES, type PlaybackCause } from './playback-causes.ts'

const CHARACTERS = Array.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ')
const CAUSES = Object.keys(PLAYBACK_CAUSES).filter(isPlaybackCause)

/** The numbers that have been given out. Lines are added here, and never changed or removed. */
const NUMBERS = `malformed 1, not_found 2, direct_play_not_found 3, rate_limited 4, internal_error 5,
  service_unavailable 6, video_failed 7, settings_changed 8, no_referrer 9, domain_blocked 10, domain_not_allowed 11,
  token_missing 12, token_expired 13, token_forged 14, exp_in_milliseconds 15, viewer_revoked 16, open_app 17,
  open_edge 18, open_safari 19, guidance 20, no_hardware 21, no_script 22, no_encrypted_media 30, sandboxed 31,
  insecure 32, unsupported 33, licence_refused 34, secret_rotated 35, video_deleted 36, too_many_streams 37,
  session_ended 38, network 39, watermark_lost 40, watermark 41, failed 42, drm_device_revoked 43,
  drm_security_too_low 44, drm_output_blocked 45, drm_unavailable 46, drm_expired 47, drm_no_cdm 48,
  invalid_request 60, invalid_link 61, app_playback_off 62, multi_drm_required 63, invalid_challenge 64,
  attestation_required 65, attestation_refused 66, unknown_attestation_key 67, video_not_ready 68`

const randomPart = (): number => Math.floor(Math.random() * FAILURE_CODE_RANDOM_MAX)
const someCause = (): PlaybackCause => CAUSES[Math.floor(Math.random() * CAUSES.length)] ?? 'failed'
const someMinuteMs = (): number =>
  Date.UTC(2026, 0, 1) + Math.floor(Math.random() * 2 ** 24) * 60_000
const someCodes = (count: number): string[] =>
  Array.from({ length: count }, () =>
    encodeFailureCode({ cause: someCause(), atMs: someMinuteMs() }, randomPart()),
  )

describe('the numbers of the causes', () => {
  it('never change and never repeat', () => {
    const given = Object.fromEntries(
      NUMBERS.split(',').map((line) => {
        const [name = '', number] = line.trim().split(' ')
        return [name, Number(number)]
      }),
    )
    expect(PLAYBACK_CAUSES).toEqual(given)
    const numbers = Object.values(PLAYBACK_CAUSES)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers.every((number) => number > 0 && number < 256)).toBe(true)
  })
})

describe('a code', () => {
  it('has three groups of four characters without look-alikes', () => {
    for (const code of someCodes(500))
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/)
  })

  it('says the cause and the minute', () => {
    for (const cause of CAUSES) {
      const minuteMs = someMinuteMs()
      const code = encodeFailureCode({ cause, atMs: minuteMs + 59_999 }, randomPart())
      expect(decodeFailureCode(code)).toEqual({ code, cause, atMs: minuteMs })
    }
  })

  it('has a random part, so that two failures of a minute differ', () => {
    const failure = { cause: 'network', atMs: someMinuteMs() } as const
    const codes = [0, 1, FAILURE_CODE_RANDOM_MAX - 1].map((n) => encodeFailureCode(failure, n))
    expect(new Set(codes).size).toBe(3)
  })

  it('of a time without a minute has the nearest one', () => {
    const at = (atMs: number) =>
      decodeFailureCode(encodeFailureCode({ cause: 'failed', atMs }, 0))?.atMs
    expect(at(0)).toBe(Date.UTC(2026, 0, 1))
    expect(at(Date.UTC(2100, 0, 1))).toBe(Date.UTC(2026, 0, 1) + (2 ** 24 - 1) * 60_000)
  })

  it('is read as people write it', () => {
    const [code = ''] = someCodes(1)
    const wanted = decodeFailureCode(code)
    const plain = code.replaceAll('-', '')
    for (const typed of [
      plain,
      plain.toLowerCase(),
      ` ${code.replaceAll('-', ' – ')}\n`,
      code.replaceAll('0', 'o').replaceAll('1', 'l'),
      code.replaceAll('0', 'O').replaceAll('1', 'i'),
      // As it is copied from a page in Arabic.
      `\u2066${code}\u2069`,
    ])
      expect(decodeFailureCode(typed)).toEqual(wanted)
  })

  it('with a single wrong character is found', () => {
    for (const code of someCodes(40))
      for (const [at, right] of Array.from(code).entries())
        for (const wrong of CHARACTERS)
          if (right !== '-' && wrong !== right)
            expect(decodeFailureCode(code.slice(0, at) + wrong + code.slice(at + 1))).toBeNull()
  })

  it('with two characters exchanged is found', () => {
    for (const code of someCodes(200)) {
      const text = Array.from(code.replaceAll('-', ''))
      for (let one = 0; one < text.length; one++)
        for (let other = one + 1; other < text.length; other++) {
          if (text[one] === text[other]) continue
          const swapped = text.with(one, text[other] ?? '').with(other, text[one] ?? '')
          expect(decodeFailureCode(swapped.join(''))).toBeNull()
        }
    }
  })

  it('is no text of another length, alphabet or cause', () => {
    const [code = ''] = someCodes(1)
    const unknown = ['', code.slice(1), `${code}0`, code.replace(/.$/, 'U'), '🎬'.repeat(12)]
    // The number of no cause, with a right check character.
    unknown.push('0000-0000-0000')
    for (const typed of unknown) expect(decodeFailureCode(typed)).toBeNull()
  })
})
