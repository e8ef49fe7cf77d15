import { readFile } from 'node:fs/promises'

const EVERY_MS = 10

/**
 * Watches a process and adds up the time in which it has no child, that is, in which neither ffmpeg
 * nor the packager works for it. Sampled every 10 ms while the returned `stop` has not been called.
 */
export function watchIdleEncoder(workerPid: number): { stop(): number } {
  let idleMs = 0
  let last = performance.now()
  let asking = false
  const timer = setInterval(() => {
    if (asking) return
    asking = true
    void childrenOf(workerPid).then((children) => {
      const now = performance.now()
      if (children === '') idleMs += now - last
      last = now
      asking = false
    })
  }, EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      return idleMs
    },
  }
}

const childrenOf = (pid: number): Promise<string> =>
  readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').then(
    (text) => text.trim(),
    () => '',
  )
