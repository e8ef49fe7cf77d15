/** A viewer of whom everything is to be erased. */
export interface ViewerErasure {
  id: number
  accountId: number
  viewerId: string
  requestedAt: Date
}
