import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Expects that a reload and Back ask before a page loses a secret that is shown once; stays on the page. */
export async function expectToAskBeforeLoss(page: Page): Promise<void> {
  const asked = page.waitForEvent('dialog')
  await page.evaluate('setTimeout(() => location.reload())')
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await page.evaluate('history.back()')
  const dialog = page.getByRole('dialog', { name: 'Leave without saving it?' })
  await dialog.getByRole('button', { name: 'Stay here' }).click()
  await dialog.waitFor({ state: 'detached' })
}
