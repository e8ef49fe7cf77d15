import { expect, it } from 'vitest'
import { isOnlyPurpose, purposeOfTitle, type AudioPurpose } from './audio-purpose.ts'

it.each<[string, AudioPurpose | null]>([
  ['Audio Description', 'description'],
  ['English (audio described)', 'description'],
  ['Audiodeskription', 'description'],
  ['Audio-description', 'description'],
  ['Audiodescripción', 'description'],
  ['Audiodescrição', 'description'],
  ['Descriptive audio', 'description'],
  ['وصف صوتي', 'description'],
  ["Director's commentary", 'commentary'],
  ['Commentaire', 'commentary'],
  ['Audiokommentar', 'commentary'],
  ['Comentarios', 'commentary'],
  ['Comentários', 'commentary'],
  ['Enhanced dialogue', 'clear-speech'],
  ['Dubbed', 'dub'],
  ['Version doublée', 'dub'],
  ['Dublagem', 'dub'],
  ['Dublin', null],
  ['Double bass', null],
  ['Description', null],
  ['Stereo', null],
  ['', null],
])('the title of an audio track says its purpose: %s', (title, purpose) =>
  expect(purposeOfTitle(title)).toBe(purpose),
)

it.each<[string, AudioPurpose, boolean]>([
  ['[Audio Description]', 'description', true],
  ['Comentarios', 'commentary', true],
  ["Director's commentary", 'commentary', false],
  ['Stereo', 'commentary', false],
])('a title is only a purpose, or more: %s', (title, purpose, isOnly) =>
  expect(isOnlyPurpose(title, purpose)).toBe(isOnly),
)
