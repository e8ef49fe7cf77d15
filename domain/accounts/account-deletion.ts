export interface DeleteAccountInput {
  accountId: number
}

/** What is left of a deleted account. */
export interface AccountRemoval {
  /** How many of its videos and uploads still have objects; 0 once the account is removed. */
  waitingVideos: number
}
