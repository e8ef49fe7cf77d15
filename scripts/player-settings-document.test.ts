import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { playerSettingsDocument, playerSettingsFile } from './player-settings-document.ts'

it('npm run configuration writes docs/player-settings.md from the declarations of the settings', () => {
  expect(readFileSync(playerSettingsFile, 'utf8')).toBe(playerSettingsDocument())
})
