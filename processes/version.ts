import { readFileSync } from 'node:fs'
import { z } from 'zod'

const packageSchema = z.object({ version: z.string() })
const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8')

/** The version of this code, such as `1.4.0`. */
export const VERSION = packageSchema.parse(JSON.parse(file)).version
