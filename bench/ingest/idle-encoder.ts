import { readFile } from 'node:fs/promises'

const SAMPLE_MS = 10

/**
 * Measures how long a process has no child, that is, neither ffmpeg nor the packager runs. Samples
 * every 10 ms until `stop`, which returns milliseconds.
 */
export function watchIdleEncoder(workerPid: number): { stop(): number } {
  let idleMs = 0
  let last = performance.now()
  let isReading = false
  const timer = setInterval(() => {
    if (isReading) return
    isReading = true
    void childrenOf(workerPid).then((children) => {
      const now = performance.now()
      if (children === '') idleMs += now - last
      last = now
      isReading = false
    })
  }, SAMPLE_MS)
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
