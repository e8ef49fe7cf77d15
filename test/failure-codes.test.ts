import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { VIDEO_FAILURES } from '../domain/videos/video-failures.ts'
import { DELIVERY_FAILURES } from '../domain/webhooks/delivery-failures.ts'
import { projectDir } from '../scripts/bootstrap/tools.mjs'
import { listedFiles } from '../scripts/testing/listed-files.ts'

// That each code of the program is in a table is checked by the compiler, and by every response of every test
// (`fixtures/openapi/check-document.ts`).
const FOLDERS = ['activities', 'commands', 'db', 'domain', 'drm', 'egress', 'media', 'workflows']
const TABLES = [
  'domain/videos/video-failures.ts',
  'domain/webhooks/delivery-failures.ts',
  'domain/error-codes.ts',
]

const code = listedFiles(...FOLDERS)
  .filter((path) => /(?<!\.test)\.ts$/.test(path) && !TABLES.includes(path))
  .map((path) => readFileSync(join(projectDir, path), 'utf8'))
  .join('\n')

describe('the tables of failures', () => {
  it.each(Object.keys({ ...VIDEO_FAILURES, ...DELIVERY_FAILURES }))(
    'have %s because the program has it',
    (name) => {
      expect(code.includes(`'${name}'`)).toBe(true)
    },
  )
})
