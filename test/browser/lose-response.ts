import type { Page } from 'playwright-core'

/**
 * Lets the next request of a page whose address matches reach the server, which does what it asks, and loses the
 * response, as a server that is killed at that moment does. `pattern` is an address with `*` for any text.
 */
export async function loseNextResponse(page: Page, pattern: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  devtools.once('Fetch.requestPaused', ({ requestId }) => {
    const errorReason = 'ConnectionReset'
    void devtools
      .send('Fetch.failRequest', { requestId, errorReason })
      .then(() => devtools.detach())
  })
  const patterns = [{ urlPattern: pattern, requestStage: 'Response' } as const]
  await devtools.send('Fetch.enable', { patterns })
}

/**
 * Lets the next request of a page whose address matches reach the server, and holds the response: `arrived` resolves
 * when the server has sent it, `release` gives it to the page.
 */
export async function holdNextResponse(
  page: Page,
  pattern: string,
): Promise<{ arrived: Promise<void>; release: () => Promise<void> }> {
  const devtools = await page.context().newCDPSession(page)
  const paused = new Promise<string>((resolve) => {
    devtools.once('Fetch.requestPaused', ({ requestId }) => resolve(requestId))
  })
  const patterns = [{ urlPattern: pattern, requestStage: 'Response' } as const]
  await devtools.send('Fetch.enable', { patterns })
  return {
    arrived: paused.then(() => {}),
    async release() {
      await devtools.send('Fetch.continueRequest', { requestId: await paused })
      await devtools.detach()
    },
  }
}
