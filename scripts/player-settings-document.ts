import { fileURLToPath } from 'node:url'
import { SETTING_BY_NAME } from '../domain/settings/declarations.ts'
import { valuesHint } from '../domain/settings/kinds.ts'
import { table } from './documents/markdown-table.ts'

/** The copy in the repository. */
export const playerSettingsFile = fileURLToPath(
  new URL('../docs/player-settings.md', import.meta.url),
)

const INTRODUCTION = `# Player settings

The settings of an account apply to all its videos. Its members change them in the dashboard (Settings), the operator with
\`npm run reelgate -- settings set NAME=VALUE --account 1\`; \`GET /v1/settings/player\` returns them. The part of a name before a dot
is a group: an object in JSON.

This file is generated from \`domain/settings/declarations.ts\` by \`npm run configuration\`.`

/** Returns `docs/player-settings.md` as the declarations describe it. */
export function playerSettingsDocument(): string {
  const rows = [...SETTING_BY_NAME].map(([name, setting]) => [
    code(name),
    valuesHint(setting).replaceAll(' | ', ', '),
    code(setting.default),
    setting.about,
  ])
  return `${INTRODUCTION}\n\n${table(['setting', 'values', 'default', 'meaning'], rows)}\n`
}

const code = (value: unknown): string =>
  `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
