import { describe, expect, it } from 'vitest'
import { EgressError } from '../egress/egress-error.ts'
import { until } from '../test/infrastructure/wait-for.ts'
import { inTurn } from './link-checks.ts'

/** Checks of a host that responds when `respond` is called. */
function slowHost() {
  const waiting: (() => void)[] = []
  let all = 0
  return {
    started: () => all,
    check: async () => {
      all += 1
      await new Promise<void>((resolve) => void waiting.push(resolve))
    },
    respond: () => waiting.splice(0).forEach((resolve) => resolve()),
  }
}

describe('checks of links', () => {
  it('of one account run four at a time, in order, and those of another do not wait for them', async () => {
    const host = slowHost()
    const done: number[] = []
    const checks = Array.from({ length: 10 }, async (_, n) => {
      await inTurn(1, 'source_url', host.check)
      done.push(n)
    })
    await until(() => host.started() === 4)
    expect(await inTurn(2, 'source_url', async () => 'checked')).toBe('checked')
    expect(host.started()).toBe(4)
    for (const started of [8, 10]) {
      host.respond()
      await until(() => host.started() === started)
    }
    host.respond()
    await Promise.all(checks)
    expect(done).toEqual(done.toSorted((a, b) => a - b))
  })

  it.each(['network_away', 'overloaded'] as const)(
    'lead to 503 with Retry-After for a fault of this installation: %s',
    async (code) => {
      const check = () => Promise.reject(new EgressError(code, 'Nothing was sent.'))
      await expect(inTurn(4, 'source_url', check)).rejects.toMatchObject({
        status: 503,
        code: 'service_unavailable',
        headers: { 'Retry-After': '5' },
      })
    },
  )

  it('are refused with rate_limited when sixty of the account wait, and run again afterwards', async () => {
    const host = slowHost()
    const checks = Array.from({ length: 64 }, () => inTurn(3, 'url', host.check))
    await until(() => host.started() === 4)
    await expect(inTurn(3, 'url', host.check)).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'Retry-After': '10' },
    })
    await until(() => {
      host.respond()
      return host.started() === 64
    })
    host.respond()
    await Promise.all(checks)
    expect(await inTurn(3, 'url', async () => 1)).toBe(1)
  })
})
