import type { Frame, Page } from 'playwright-core'
import type { PlaybackCause } from '../../../domain/playback-reports/playback-causes.ts'
import { waitFor } from '../../infrastructure/wait-for.ts'
import { untilMessage } from '../viewer.ts'
import type { Shown } from './cause-row.ts'

const textOf = (page: Page | Frame, selector: string): Promise<string> =>
  waitFor(selector, async () => (await page.locator(selector).textContent()) || null)

/** Reads a page of the player host without a player. */
export const readPage = async (page: Page | Frame): Promise<Shown> => ({
  sentence: await textOf(page, 'h1'),
  code: await textOf(page, '.report bdi'),
})

/** Reads the message of a player, once it is the one of the cause. */
export async function readMessage(page: Page | Frame, cause: PlaybackCause): Promise<Shown> {
  await untilMessage(page, cause)
  const sentence = await textOf(page, '#message > p:not(.code)')
  return { sentence, code: await textOf(page, '#message .code bdi[dir]') }
}
