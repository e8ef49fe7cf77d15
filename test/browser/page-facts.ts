import type { Page } from 'playwright-core'

/** Returns the captions that the page shows, each as its language and first text. */
export const shownCaptions = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    Array.from(document.querySelector('video')?.textTracks ?? [])
      .filter(({ kind, mode }) => kind === 'captions' && mode === 'showing')
      .map(({ language, cues }) => `${language} ${(cues?.[0] as VTTCue | undefined)?.text ?? ''}`),
  )

/** Returns the number of chapters on the seek bar. */
export const chapterMarks = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const bar = document.querySelector('media-time-range')?.shadowRoot
    return bar?.querySelectorAll('clipPath rect, #segments-clipping rect').length ?? 0
  })

/** Resolves to a function that returns the globals that the next document in `page` has added. */
export async function watchGlobals(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const known = new Set(Object.getOwnPropertyNames(window))
    Object.assign(window, {
      added: () => Object.getOwnPropertyNames(window).filter((name) => !known.has(name)),
    })
  })
  return async () => {
    const added = await page.evaluate<string[]>('added()')
    return added.filter((name) => !['added', 'VTTCue', '0'].includes(name))
  }
}

/** Collects the hosts to which the page sends requests, and the errors that it reports. */
export function watchTraffic(page: Page): { hosts: Set<string>; problems: string[] } {
  const hosts = new Set<string>()
  const problems: string[] = []
  page.on('request', (request) => {
    const { host } = new URL(request.url())
    if (host !== '') hosts.add(host)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  return { hosts, problems }
}
