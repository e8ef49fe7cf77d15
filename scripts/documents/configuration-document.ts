import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { CONFIG_SECTIONS } from '../../config/schema.ts'
import { valuesOf } from '../../config/values.ts'
import { variableDocs } from '../../config/variable.ts'
import { table } from './markdown-table.ts'

/** The copy in the repository. */
export const configurationFile = fileURLToPath(
  new URL('../../docs/configuration.md', import.meta.url),
)

const INTRODUCTION = `# Configuration

Every process reads these environment variables when it starts. An empty variable counts as unset. A process that finds a bad value
lists every problem and ends with status 1.

A variable marked **secret** can also come from a file: \`NAME_FILE\` instead of \`NAME\`, such as
\`MASTER_KEY_FILE=/run/secrets/master_key\`. A line break at the end of the file is ignored, and an empty file
counts as unset. A file that cannot be read is a bad value, and so is a variable beside its file.

This file is generated from \`config/sections/\` by \`npm run configuration\`.`

/** These do not concern a running installation. */
const SETUP_SECTION = `## Setup and demo

The commands of \`package.json\` read these variables; the service does not.

${table(
  ['variable', 'values', 'default', 'meaning'],
  [
    [
      '`REELGATE_CACHE_DIR`',
      'folder',
      '`reelgate` in the user’s cache folder',
      'Programs that were downloaded or built once. All clones of the repository share it. If the user’s folder cannot be written, it is in the clone.',
    ],
    ['`DEMO_PORT`', '443 or 8443', '`8443`', 'Port of the integrator’s site in `npm run demo`.'],
  ],
)}

\`.env.example\` lists the variables of \`docker-compose.yml\`.`

/** Returns `docs/configuration.md` as the schema describes it. Throws if a variable has no documentation. */
export function configurationDocument(): string {
  const sections = Object.entries(CONFIG_SECTIONS).map(([title, variables]) => {
    const rows = Object.entries(variables).map(([name, schema]) => toRow(name, schema))
    return `## ${title}\n\n${table(['variable', 'values', 'default', 'meaning'], rows)}`
  })
  return `${[INTRODUCTION, ...sections, SETUP_SECTION].join('\n\n')}\n`
}

const inputSchema = z.object({ default: z.union([z.string(), z.number()]).optional() })

function toRow(name: string, schema: z.ZodType): string[] {
  const docs = variableDocs.get(schema)
  if (!docs) throw new Error(`${name} has no documentation in config/sections/`)
  const input = inputSchema.parse(z.toJSONSchema(schema, { io: 'input' }))
  const hasDefault = input.default !== undefined && input.default !== ''
  const fallback = docs.defaultText ?? (hasDefault ? code(input.default) : '–')
  const secret = docs.isSecret ? ' **Secret.**' : ''
  return [code(name), valuesOf(schema), fallback, docs.description + secret]
}

const code = (value: unknown): string => `\`${String(value)}\``
