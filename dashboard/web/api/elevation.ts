import { createQuestion } from '../async-dialog.ts'

const question = createQuestion<string>()
let confirmations = 0

/** The account whose operation waits for a confirmation, for the dialog; null if none does. */
export const useOpenConfirmation = question.useOpen

/** How often the member has confirmed who they are since the page was loaded. */
export const confirmationCount = (): number => confirmations

/**
 * Asks the member for the password or a passkey; resolves to false if they cancel. Does not ask if they
 * have confirmed since `countBefore` was read, before the request was sent.
 */
export async function confirmIdentity(account: string, countBefore: number): Promise<boolean> {
  if (confirmations > countBefore) return true
  const isConfirmed = await question.ask(account)
  if (isConfirmed) confirmations = countBefore + 1
  return isConfirmed
}
