/** A viewer of whom everything is to be erased. */
export interface ViewerErasure {
  id: number
  accountId: number
  viewerId: string
  requestedAt: Date
}

/** All viewers of an account that keeps totals only from now on: what is kept of each one is to be erased. */
export interface AccountErasure extends Omit<ViewerErasure, 'viewerId'> {
  viewerId: null
}
