import { describe, expect, it } from 'vitest'
import { DEFAULT_PLAYER_SETTINGS, withChange } from './player-settings.ts'
import { changeTo, differentSettings, mergeSettings } from './settings-merge.ts'

const opened = DEFAULT_PLAYER_SETTINGS
const edit = (change: Parameters<typeof withChange>[1]) => withChange(opened, change)

describe('a change of settings', () => {
  it('names what differs, also within a group', () => {
    const edited = edit({ colors: { text: '#111111' }, blocked_domains: ['a.example'] })
    expect(differentSettings(opened, edited)).toEqual(['colors.text', 'blocked_domains'])
    expect(differentSettings(edited, edited)).toEqual([])
  })

  it('carries only the named settings', () => {
    const edited = edit({ theme: 'light', colors: { text: '#111111', accent: '#222222' } })
    const change = changeTo(edited, ['theme', 'colors.text'])
    expect(JSON.parse(JSON.stringify(change))).toEqual({
      theme: 'light',
      colors: { text: '#111111' },
    })
    expect(withChange(opened, change)).toEqual(
      edit({ theme: 'light', colors: { text: '#111111' } }),
    )
  })
})

describe('two edits of the same settings', () => {
  it('are combined where they change different settings', () => {
    const mine = edit({ theme: 'light', colors: { accent: '#111111' } })
    const theirs = edit({ keep_original: true, colors: { text: '#222222' } })
    expect(mergeSettings({ opened, mine, theirs })).toEqual({
      merged: edit({
        theme: 'light',
        keep_original: true,
        colors: { accent: '#111111', text: '#222222' },
      }),
      conflicts: [],
      taken: ['colors.text', 'keep_original'],
    })
  })

  it('combine the limit of plays and who wins, which are two settings', () => {
    const mine = edit({ concurrent_plays: { limit: 2 } })
    const theirs = edit({ concurrent_plays: { winner: 'oldest' } })
    expect(mergeSettings({ opened, mine, theirs })).toEqual({
      merged: edit({ concurrent_plays: { limit: 2, winner: 'oldest' } }),
      conflicts: [],
      taken: ['concurrent_plays.winner'],
    })
  })

  it('contradict each other where both change a setting to different values', () => {
    const mine = edit({ theme: 'light', allowed_domains: ['a.example'], direct_play: true })
    const theirs = edit({ theme: 'auto', allowed_domains: ['b.example'], direct_play: true })
    const { merged, conflicts, taken } = mergeSettings({ opened, mine, theirs })
    expect(conflicts).toEqual(['theme', 'allowed_domains'])
    expect(taken).toEqual([])
    expect(merged).toEqual(mine)
  })
})
