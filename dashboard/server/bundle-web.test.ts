import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleWeb, type WebBundle } from './bundle-web.ts'

const KB = 1000
/** The list that most members open next, or first by a bookmark. */
const VIDEOS = 'dashboard/web/pages/videos/videos-page.tsx'

let bundle: WebBundle
let sizes: Map<string, number>

beforeAll(async () => {
  bundle = await bundleWeb()
  sizes = new Map(bundle.files.map(({ path, body }) => [path, gzipSync(body, { level: 9 }).length]))
})

const sizeOf = (paths: Iterable<string>): number =>
  [...new Set(paths)].reduce((sum, path) => sum + (sizes.get(path) ?? Number.NaN), 0)

/** What the overview loads before it is shown. It is the first page after the sign-in, and part of the entry. */
const overview = (): string[] => [
  ...bundle.scriptPaths,
  ...(bundle.routes.get('dashboard/web/locales/en.ts') ?? []),
]

/** What the list of videos loads before it is shown, if it is the first page: with the words of its area. */
const videos = (): string[] => [
  ...overview(),
  ...(bundle.routes.get(VIDEOS) ?? []),
  ...(bundle.routes.get(`${dirname(VIDEOS)}/locales/en.ts`) ?? []),
]

describe('the app in the browser', () => {
  it('shows its first view after at most 200 kB of script and 50 kB of styles, compressed', () => {
    expect(bundle.routes.has(VIDEOS)).toBe(true)
    for (const view of [overview(), videos()]) expect(sizeOf(view)).toBeLessThanOrEqual(200 * KB)
    expect(sizeOf([bundle.stylePath])).toBeLessThanOrEqual(50 * KB)
  })

  it('loads two scripts before its first view: all that the entry imports, and the words', () => {
    expect(new Set(overview()).size).toBe(2)
  })

  it('loads at most a dozen scripts more for the list of videos', () => {
    const known = new Set(overview())
    expect(videos().filter((path) => !known.has(path)).length).toBeLessThanOrEqual(12)
  })

  it('loads at most 40 kB more for each further page', () => {
    // The frame of every page loads its menu as soon as the first view is shown.
    const menu = bundle.routes.get('dashboard/web/shell/account-menu.tsx') ?? []
    expect(menu.length).toBeGreaterThan(0)
    const loaded = new Set([...overview(), ...menu])
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
