import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const WEB = fileURLToPath(new URL('../web/', import.meta.url))
const STYLES = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles/global.css'))

/** Styles that a component shares with others. */
const SHARED: Record<string, string> = {
  Checkbox: 'InlineInput',
  Radio: 'InlineInput',
  Switch: 'InlineInput',
  SegmentedControl: 'FloatingIndicator',
}

/** The components of Mantine that the files of the app import and that have styles. */
async function usedComponents(): Promise<string[]> {
  const files = await readdir(WEB, { recursive: true })
  const texts = await Promise.all(
    files.filter((file) => file.endsWith('.tsx')).map((file) => readFile(join(WEB, file), 'utf8')),
  )
  const imports = texts.flatMap((text) => [...text.matchAll(/\{([^}]+)\} from '@mantine\/core'/g)])
  const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()))
  const all = new Set(names.flatMap((name) => [name, SHARED[name] ?? name]))
  return [...all].filter((name) => name !== '' && existsSync(join(STYLES, `${name}.css`)))
}

it('every component of the kit that the app uses has its styles in kit.css', async () => {
  const kit = await readFile(join(WEB, 'kit.css'), 'utf8')
  const used = await usedComponents()
  expect(used).toContain('Button')
  const missing = used.filter((name) => !kit.includes(`/styles/${name}.css'`))
  expect(missing).toEqual([])
})
