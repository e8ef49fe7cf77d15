/** What one check found. */
export interface Finding {
  name: string
  ok: boolean
  /** One line: what was found, or what to do. */
  detail: string
}

/** How long whatever a check asks has for its answer. */
export const ANSWER_MS = 4_000
/** When the checks are given up, from the start of the process: `doctor` ends within ten seconds. */
const CHECKS_END_MS = 8_500
/** A machine that is slow to start the process leaves each check this much. */
const CHECK_MIN_MS = ANSWER_MS + 500

/** Runs one check; an error, or no answer in time, is a finding like any other. */
export async function check(name: string, probe: () => Promise<string>): Promise<Finding> {
  const leftMs = Math.max(CHECK_MIN_MS, CHECKS_END_MS - process.uptime() * 1000)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), leftMs)
  })
  try {
    return { name, ok: true, detail: await Promise.race([probe(), late]) }
  } catch (error) {
    return { name, ok: false, detail: oneLine(error) }
  } finally {
    clearTimeout(timer)
  }
}

function oneLine(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  const first = (message ?? '').trim().split('\n')[0]
  return first || code || String(error)
}
