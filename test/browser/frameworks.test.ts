import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReelgateVideo } from '../../player/embed-script/reelgate-video.ts'
import type { PlayerState } from '../../sdk/src/player/element.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { REACT_PAGE, VUE_PAGE } from './framework-pages.ts'
import { SMALL } from './idle-pages.ts'

let fixture: EmbeddedPlayerFixture

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  await fixture.annotate(fixture.wideId, { captions: { en: 'Hello', de: 'Hallo' } })
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: dirname(fileURLToPath(import.meta.url)) },
    bundle: true,
    write: false,
    format: 'esm',
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
  })
  return outputFiles[0]?.text.replaceAll('</script', '<\\/script') ?? ''
}

describe('the player of the client', () => {
  it.each([
    ['React', REACT_PAGE],
    ['Vue', VUE_PAGE],
  ])(
    'loads its script once, plays, reports and is removed in %s',
    async (name, code) => {
      const path = `/${name}`
      fixture.servePage(
        path,
        `<!doctype html><title>Site</title><div id="app"></div><script type="module">${await bundle(code)}</script>`,
      )
      const page = await fixture.browser.newPage({ viewport: SMALL })
      const errors: unknown[] = []
      page.on('pageerror', (error) => errors.push(error))
      const asked = new URLSearchParams({
        src: fixture.embedUrl(fixture.wideId),
        script: `${fixture.embedBase}/embed.js`,
      })
      await page.goto(`${fixture.siteUrl('site.localhost', path)}?${asked}`)
      const seen = (text: string) =>
        page.waitForFunction(
          (wanted) => (window as unknown as { seen: string[] }).seen.includes(wanted),
          text,
        )
      await page.waitForFunction(() =>
        (window as unknown as { seen: string[] }).seen.some((text) => text.startsWith('ready')),
      )
      await page.getByRole('button', { name: 'Play' }).click()
      await seen('play')
      await page.waitForFunction(() => Number(document.querySelector('output')?.textContent) > 3)
      const frame = page.frames()[1]
      expect(new URL(frame?.url() ?? '').search).toBe('?muted=1&captions=de')
      expect(
        await page.evaluate(() => document.querySelectorAll('script[src$="/embed.js"]').length),
      ).toBe(1)
      // The compiler compares the client's types with those of the script, which it cannot import.
      const state: PlayerState = await page.evaluate(() =>
        (document.querySelector('reelgate-video') as ReelgateVideo).pause(),
      )
      expect(state).toMatchObject({ paused: true, muted: true })
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.waitForFunction(() => document.querySelector('reelgate-video') === null)
      expect(errors).toEqual([])
      await page.close()
    },
    60_000,
  )
})
