import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { assertPortsFree, freePort } from './ports.ts'

describe('ports', () => {
  it('chooses no port that the system gives to others', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, freePort))
    expect(Math.max(...ports)).toBeLessThan(32_768)
  })

  it('lists every taken port with its variable', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    const needed = [
      { port: await freePort(), variable: 'PLAYER_PORT' },
      { port, variable: 'API_PORT' },
    ]
    const attempt = assertPortsFree(needed, 0)
    await expect(attempt).rejects.toThrow(`API_PORT: port ${port} is taken`)
    await expect(attempt).rejects.not.toThrow('PLAYER_PORT')
    setTimeout(() => holder.close(), 300)
    await assertPortsFree(needed, 5_000)
  })
})
