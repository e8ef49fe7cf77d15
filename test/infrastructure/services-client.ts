import { testServicesUrl } from '../../scripts/bootstrap/tools.mjs'

/** Asks the services of this Jest run; throws an error with their words when they cannot. */
export async function askServices<T>(path: string, body: object = {}): Promise<T> {
  const base = testServicesUrl()
  if (!base) throw new Error('the test services run only inside Jest (see jest.config.js)')
  const response = await fetch(base + path, { method: 'POST', body: JSON.stringify(body) })
  const answer = (await response.json()) as T & { error?: string }
  if (!response.ok) throw new Error(`test services: ${answer.error}`)
  return answer
}
