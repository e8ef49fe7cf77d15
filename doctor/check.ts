import { readSystemError } from '../processes/system-error.ts'

/** The result of one check. */
export interface Finding {
  name: string
  ok: boolean
  /** One line with the result or with advice. */
  detail: string
}

/** Time limit for each request of a check. */
export const RESPONSE_TIMEOUT_MS = 4_000
/** Time from the start of the process to the end of all checks, so that the command ends within ten seconds. */
const CHECKS_END_MS = 8_500
/** The least time for a check, even if the process started slowly or long ago. */
const CHECK_MIN_MS = RESPONSE_TIMEOUT_MS + 500

const LATE = 'no response in time: it hangs, is overloaded, or another program is at its address'

/** Runs one check. An error or a timeout is a finding too. */
export async function check(name: string, probe: () => Promise<string>): Promise<Finding> {
  const leftMs = Math.max(CHECK_MIN_MS, CHECKS_END_MS - process.uptime() * 1000)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(LATE)), leftMs)
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
  const { message, code } = readSystemError(error)
  const first = message.trim().split('\n')[0]
  return first || code || String(error)
}
