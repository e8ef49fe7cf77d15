import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { bundleWeb } from './bundle-web.ts'
import type { WebBundle } from './bundle-web.ts'

const KB = 1000
/** The first page after the sign-in, and the list that most members open next or first, by a bookmark. */
const FIRST_ROUTES = ['overview/overview-page.tsx', 'videos/videos-page.tsx'].map(
  (page) => `dashboard/web/pages/${page}`,
)

let bundle: WebBundle
let sizes: Map<string, number>

beforeAll(async () => {
  bundle = await bundleWeb()
  sizes = new Map(bundle.files.map(({ path, body }) => [path, gzipSync(body, { level: 9 }).length]))
})

const sizeOf = (paths: Iterable<string>): number =>
  [...new Set(paths)].reduce((sum, path) => sum + (sizes.get(path) ?? Number.NaN), 0)

/** What a page loads before it is shown, if it is the first one: with the words of its area. */
const firstView = (route: string): string[] => [
  ...bundle.scriptPaths,
  ...(bundle.routes.get(route) ?? []),
  ...(bundle.routes.get(`${dirname(route)}/words/en.ts`) ?? []),
  ...(bundle.routes.get('dashboard/web/words/en.ts') ?? []),
]

describe('the app in the browser', () => {
  it.each(FIRST_ROUTES)(
    'shows its first view after at most 200 kB of script and 50 kB of styles, compressed: %s',
    (route) => {
      expect(bundle.routes.has(route)).toBe(true)
      expect(sizeOf(firstView(route))).toBeLessThanOrEqual(200 * KB)
      expect(sizeOf([bundle.stylePath])).toBeLessThanOrEqual(50 * KB)
    },
  )

  it('loads at most 40 kB more for each further page', () => {
    // The frame of every page loads its menu as soon as the first view is shown.
    const menu = bundle.routes.get('dashboard/web/shell/account-menu.tsx') ?? []
    expect(menu.length).toBeGreaterThan(0)
    const loaded = new Set([...firstView(FIRST_ROUTES[0] ?? ''), ...menu])
    const pages = [...bundle.routes].filter(([source]) => source.startsWith('dashboard/web/pages/'))
    expect(pages.length).toBeGreaterThan(1)
    for (const [source, paths] of pages) {
      const size = sizeOf(paths.filter((path) => !loaded.has(path)))
      expect({ source, isSmall: size <= 40 * KB, size }).toMatchObject({ isSmall: true })
    }
  })

  it('is named by the hash of its content', () => {
    for (const { path } of bundle.files)
      expect(path).toMatch(/^\/assets\/[\w-]+-[A-Z0-9]{8}\.(js|css)$/)
  })
})
