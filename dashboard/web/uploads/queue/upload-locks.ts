/** Lets one tab at a time hold an upload of this browser. */
export interface UploadLocks {
  /** Resolves once no other tab holds the upload. The lock ends with `release`, or with the tab. */
  hold: (key: string) => Promise<void>
  release: (key: string) => void
}

/** The locks of the browser. One without them lets each tab have every upload: the server takes bytes from the last one. */
export function uploadLocks(locks: LockManager | undefined): UploadLocks {
  const held = new Map<string, () => void>()
  return {
    hold: (key) =>
      new Promise((resolve) => {
        if (!locks) return resolve()
        const keep = (): Promise<void> => {
          resolve()
          return new Promise((release) => held.set(key, release))
        }
        locks.request(`reelgate-upload-${key}`, keep).catch(() => resolve())
      }),
    release(key) {
      held.get(key)?.()
      held.delete(key)
    },
  }
}
