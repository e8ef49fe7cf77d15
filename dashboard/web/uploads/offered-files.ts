import { createStore } from '../store.ts'
import type { ChosenFile } from './queue/upload-item.ts'

interface Offer {
  account: string
  files: readonly ChosenFile<File>[]
}

/** Files that were chosen and are not in a queue yet: the tray, which is loaded with the first ones, takes them. */
export const offeredFiles = createStore<readonly Offer[]>([])

/** The accounts whose tray was opened since the page was loaded. */
export const accountsWithUploads = createStore<readonly string[]>([])

/** Gives files to the uploads of an account. */
export function offerFiles(account: string, files: readonly ChosenFile<File>[]): void {
  if (files.length === 0) return
  accountsWithUploads.set([...accountsWithUploads.get(), account])
  offeredFiles.set([...offeredFiles.get(), { account, files }])
}

/** Takes the files that were offered to an account. */
export function takeOffers(account: string): ChosenFile<File>[] {
  const offers = offeredFiles.get()
  const ours = offers.filter((offer) => offer.account === account)
  if (ours.length > 0) offeredFiles.set(offers.filter((offer) => offer.account !== account))
  return ours.flatMap(({ files }) => files)
}
