import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa, execaSync } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cacheDir } from '../../scripts/bootstrap/tools.mjs'
import {
  readViewerToken,
  signViewerToken,
  verifyViewerToken,
} from '../../security/tokens/viewer-token.ts'
import { EMBED_FORMS, embedSnippet } from '../web/pages/videos/embed/embed-code.ts'
import {
  TOKEN_LANGUAGES,
  tokenSnippet,
  type TokenLanguage,
} from '../web/pages/videos/embed/token-code.ts'

const VIDEO = {
  id: '0123456789abcdef0123',
  title: '"><script>alert(1)</script>',
  embed_url: 'https://play.example.com/0123456789abcdef0123/MQ%3D%3D',
}
const SECRET = 'a'.repeat(64)

/** How a file of each language runs. */
const RUNNERS: Record<TokenLanguage, { file: string; command: string[] }> = {
  typescript: { file: 'token.mjs', command: [process.execPath] },
  python: { file: 'token.py', command: ['python3'] },
  php: { file: 'token.php', command: ['php'] },
  go: { file: 'main.go', command: ['go', 'run'] },
  ruby: { file: 'token.rb', command: ['ruby'] },
}

const isInstalled = (program = ''): boolean =>
  !execaSync(program, ['--help'], { reject: false, stdio: 'ignore' }).message?.includes('ENOENT')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snippets-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the code that signs a viewer token', () => {
  for (const language of TOKEN_LANGUAGES) {
    const { file, command } = RUNNERS[language]
    const [program = '', ...options] = command
    // A machine without the language cannot run its code.
    const test = isInstalled(program) ? it : it.skip
    test(`prints the address of an embed that plays, in ${language}`, async () => {
      const path = join(folder, file)
      await writeFile(path, tokenSnippet(language, VIDEO))
      const { stdout } = await execa(program, [...options, path], {
        // Go compiles its library first, for half a minute where it has no cache.
        env: { REELGATE_SIGNING_SECRET: SECRET, GOCACHE: join(cacheDir(), 'go-build') },
      })
      const [address, vt = ''] = stdout.split('?vt=')
      expect(address).toBe(VIDEO.embed_url)
      const verdict = verifyViewerToken(readViewerToken(vt), SECRET, Date.now())
      expect(verdict).toMatchObject({ ok: true, claims: { viewerId: 'viewer-42' } })
      if (verdict.ok) expect(vt).toBe(signViewerToken(verdict.claims, SECRET))
    }, 60_000)
  }
})

it('the code of an embed shows a title as text in each of its forms', () => {
  const { react, ...markup } = Object.fromEntries(
    EMBED_FORMS.map((form) => [form, embedSnippet(form, VIDEO)]),
  )
  for (const html of Object.values(markup)) expect(html).not.toContain('<script>alert')
  // Within an expression, not within the markup.
  expect(react).toContain(`title={${JSON.stringify(VIDEO.title)}}`)
  expect(markup.script).toContain('src="https://play.example.com/embed.js"')
})
