import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 500

/** Prints the result of a call for the test that started this program. */
export const show = (call: string, ...result: unknown[]): void =>
  void process.stdout.write(`${JSON.stringify({ call, result })}\n`)

interface ErrorBody {
  error: { code: string; type: string; message: string; request_id: string }
}

/** Prints a refusal. */
export const showRefusal = (call: string, status: number | undefined, { error }: ErrorBody): void =>
  show(call, status, error.code, error.type, error.message !== '', error.request_id !== '')

/** Asks until an import has ended. */
export async function ended<T extends { state: string }>(ask: () => Promise<T>): Promise<T> {
  let found = await ask()
  while (found.state === 'running') {
    await sleep(POLL_MS)
    found = await ask()
  }
  return found
}

/** The texts of a snippet that are what was sought. */
export const matchesOf = (snippet: readonly { text: string; is_match: boolean }[]): string[] =>
  snippet.filter((part) => part.is_match).map(({ text }) => text)

/** A variable of the environment. */
export function given(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

/** Returns a value that must be there. */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('a value is missing')
  return value
}
