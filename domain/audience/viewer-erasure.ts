/** A viewer of whom everything is to be erased. */
export interface ViewerErasure {
  id: number
  accountId: number
  viewerId: string
  requestedAt: Date
}

/** The erasure of all viewers of an account that has switched to totals only. */
export interface AccountErasure extends Omit<ViewerErasure, 'viewerId'> {
  viewerId: null
}
