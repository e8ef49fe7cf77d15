/** Prints the result of a call for the test that started this program. */
export const show = (call: string, ...result: unknown[]): void =>
  void process.stdout.write(`${JSON.stringify({ call, result })}\n`)

interface ErrorBody {
  error: { code: string; type: string; message: string; request_id: string }
}

/** Prints a refusal. */
export const showRefusal = (call: string, status: number | undefined, { error }: ErrorBody): void =>
  show(call, status, error.code, error.type, error.message !== '', error.request_id !== '')

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
