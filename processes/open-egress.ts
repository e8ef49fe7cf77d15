import dns from 'node:dns'
import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { createEgress, type Egress } from '../egress/egress.ts'

/** In `EGRESS_DNS_SERVERS`, the servers that `/etc/resolv.conf` names. */
const RESOLV_CONF = 'resolv.conf'

/** Creates the egress guard from the configuration. */
export async function openEgress(config: Config, logger: Logger): Promise<Egress> {
  return createEgress({
    allowedNetworks: config.EGRESS_ALLOWED_NETWORKS,
    extraCa: config.EGRESS_CA_FILE ? [await readFile(config.EGRESS_CA_FILE, 'utf8')] : [],
    dnsServers: config.EGRESS_DNS_SERVERS.flatMap((server) =>
      server === RESOLV_CONF ? dns.getServers() : [server],
    ),
    controlHosts: config.EGRESS_CONTROL_HOSTS,
    logger,
  })
}
