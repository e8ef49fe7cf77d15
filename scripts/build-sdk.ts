// npm run sdk:build: writes sdk/dist, which `npm publish` packs.
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildSdk } from '../sdk/build-sdk.ts'

const dist = fileURLToPath(new URL('../sdk/dist', import.meta.url))
await rm(dist, { recursive: true, force: true })
await buildSdk(dist)
