import { describe, expect, it } from 'vitest'
import { preferredTrack } from './preferred-track.ts'

const tracks = ['de', 'pt-BR', 'en-GB', 'pt-PT'].map((language) => ({ language }))

describe('the captions that a viewer most likely wants', () => {
  it.each([
    ['are those of the first language that exists', ['fr', 'de', 'en'], 'de'],
    ['are those of exactly that form of the language', ['PT-pt'], 'pt-PT'],
    ['are those of another form of the language', ['pt'], 'pt-BR'],
    ['skip what was not chosen', [null, 'en'], 'en-GB'],
    ['are the first if no language exists', ['tlh'], 'de'],
  ])('%s', (_, languages, found) => expect(preferredTrack(tracks, languages)?.language).toBe(found))

  it('are none of a video without captions', () =>
    expect(preferredTrack([], ['en'])).toBeUndefined())
})
