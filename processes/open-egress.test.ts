import machine from 'node:dns'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { startDnsServer } from '../test/infrastructure/dns-server.ts'
import { openEgress } from './open-egress.ts'

it('EGRESS_DNS_SERVERS=resolv.conf asks the DNS servers of the machine', async () => {
  const dns = await startDnsServer()
  dns.set('only.example', ['1.1.1.1'])
  const ofMachine = machine.getServers()
  machine.setServers([dns.address])
  try {
    const config = loadConfig({ EGRESS_DNS_SERVERS: 'resolv.conf' })
    const egress = await openEgress(config, pino({ level: 'silent' }))
    await egress.checkAddress('https://only.example/')
    expect(dns.lookups('only.example')).toBe(1)
  } finally {
    machine.setServers(ofMachine)
    await dns.close()
  }
})
