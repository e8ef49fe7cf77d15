// npm run configuration: writes docs/configuration.md and docs/player-settings.md.
import { writeFile } from 'node:fs/promises'
import { playerSettingsDocument, playerSettingsFile } from '../player-settings-document.ts'
import { configurationDocument, configurationFile } from './configuration-document.ts'

await writeFile(configurationFile, configurationDocument())
await writeFile(playerSettingsFile, playerSettingsDocument())
