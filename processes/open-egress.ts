import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { createEgress } from '../egress/egress.ts'
import type { Egress } from '../egress/egress.ts'

/** Creates the egress guard from the configuration. */
export async function openEgress(config: Config, logger: Logger): Promise<Egress> {
  return createEgress({
    allowedNetworks: config.EGRESS_ALLOWED_NETWORKS,
    extraCa: config.EGRESS_CA_FILE ? [await readFile(config.EGRESS_CA_FILE, 'utf8')] : [],
    dnsServers: config.EGRESS_DNS_SERVERS,
    controlHosts: config.EGRESS_CONTROL_HOSTS,
    logger,
  })
}
