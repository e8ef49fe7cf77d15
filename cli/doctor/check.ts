/** What one check found. */
export interface Finding {
  name: string
  ok: boolean
  /** One line: what was found, or what to do. */
  detail: string
}

/** How long one check may take, in all. */
export const CHECK_TIMEOUT_MS = 10_000

/** Runs one check; an error, or no answer in time, is a finding like any other. */
export async function check(name: string, probe: () => Promise<string>): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS / 1000} s`)),
      CHECK_TIMEOUT_MS,
    )
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
