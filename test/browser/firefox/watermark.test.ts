import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../../infrastructure/wait-for.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from '../embedded-player.ts'
import { STEALTHY_ATTACKS, type Attack } from '../watermark-attacks.ts'
import { EVASIONS } from '../watermark-evasions.ts'
import { launchFirefox, type Firefox, type Tab } from './firefox.ts'

/** `npm run verify:firefox` sets it. Other runs skip these tests: Firefox is not in any package. */
const path = process.env.FIREFOX_PATH

/** The ways to lose the watermark that ask most of the guard. */
const WORST = [
  'a pseudo-element of its own host',
  'a new root element, which leaves the old one without a size',
  'the help sheet, emptied, restyled and raised above it',
  'leaving the top layer',
  'inert content',
  'a popover over it that insists on letting the pointer through',
  'observers that see nothing and timers that never end, in the frame of the player alone',
  'measures that lie, with the host hidden',
  'replacing the built-ins that the guard uses',
  'a picture that overflows its box',
]

let fixture: EmbeddedPlayerFixture
let firefox: Firefox

beforeAll(async () => {
  if (path === undefined) return
  if (path === '') throw new Error('Firefox is required: set FIREFOX_PATH')
  fixture = await openEmbeddedPlayerFixture()
  const watermark = { enabled: true, required: true, opacity: 0.4, size: 'medium' } as const
  await fixture.configure({ watermark })
  firefox = await launchFirefox(path)
}, PREPARED_WITHIN_MS)

afterAll(async () => {
  await firefox?.close()
  await fixture?.close()
})

/** Opens the player from a page of a site, so that the browser sends a Referer. */
async function openPlayer(viewer: string, beforeLoad?: () => void): Promise<Tab> {
  const tab = await firefox.newTab()
  const address = fixture.embedUrl(fixture.wideId, fixture.vt(viewer))
  fixture.servePage('/link', `<a href="${address.replaceAll('&', '&amp;')}">Watch</a>`)
  await tab.open(fixture.siteUrl('site.localhost', '/link'))
  if (beforeLoad) await tab.useScript(beforeLoad)
  await tab.evaluate(() => document.querySelector('a')?.click())
  await waitFor('the player', () =>
    tab.evaluate(() => document.documentElement.dataset.controls !== undefined).catch(() => false),
  )
  return tab
}

const play = (tab: Tab): Promise<void> =>
  tab.evaluate(
    () =>
      void document
        .querySelector('video')
        ?.play()
        .catch(() => undefined),
  )

const errorOf = (tab: Tab): Promise<string | null> =>
  tab.evaluate(() => document.documentElement.dataset.error ?? null)

const incidents = async (viewerId: string): Promise<{ how: string }[]> =>
  fixture.db.em.fork().execute(
    `select details ->> 'how' as how from security_event
     where event_type = 'watermark_tampered' and viewer_id = ?`,
    [viewerId],
  )

describe.runIf(path !== undefined)('the watermark in Firefox', () => {
  it('stays while the video plays', async () => {
    const tab = await openPlayer('honest')
    await play(tab)
    await waitFor('ten seconds of the video', () =>
      tab.evaluate(() => (document.querySelector('video')?.currentTime ?? 0) > 10),
    )
    expect(await errorOf(tab)).toBeNull()
    expect(await incidents('honest')).toEqual([])
    await tab.close()
  }, 120_000)

  it.each([...STEALTHY_ATTACKS, ...EVASIONS].filter(([name]) => WORST.includes(name)))(
    'cannot be lost by %s: the video pauses, and stops the second time',
    async (...[name, how, attack, beforeLoad]: Attack) => {
      const viewer = `mallory ${WORST.indexOf(name)}`
      const tab = await openPlayer(viewer, beforeLoad)
      await play(tab)
      const seen = new Set<string | null>()
      await waitFor('the end of the video', async () => {
        await tab.evaluate(attack).catch(() => undefined)
        const error = await errorOf(tab)
        seen.add(error)
        if (error === 'watermark_lost') await play(tab)
        return error === 'watermark'
      })
      expect(seen).toContain('watermark_lost')
      const [event] = await waitFor('the security event', async () => {
        const found = await incidents(viewer)
        return found.length > 0 && found
      })
      expect(how).toContain(event?.how)
      await tab.close()
    },
    90_000,
  )

  it('is missed by no name of an attack', () => {
    const names = [...STEALTHY_ATTACKS, ...EVASIONS].map(([name]) => name)
    expect(WORST.filter((name) => !names.includes(name))).toEqual([])
  })
})
