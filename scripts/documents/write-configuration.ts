// npm run configuration: writes docs/configuration.md.
import { writeFile } from 'node:fs/promises'
import { configurationDocument, configurationFile } from './configuration-document.ts'

await writeFile(configurationFile, configurationDocument())
