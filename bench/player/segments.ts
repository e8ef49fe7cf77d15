import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { atLeast } from '../figure.ts'
import type { Figure } from '../figure.ts'
import { median } from '../load.ts'
import type { PlayerBenchWorld } from './bench-world.ts'
import { measureBytes } from './measure-bytes.ts'
import { startNginx } from './nginx.ts'

const CONNECTIONS = 16
const WARM_UP_SECONDS = 3
const ROUNDS = 5
const ROUND_SECONDS = 4

/**
 * Bytes of segments that one core can serve, beside nginx with the same files. A client on another
 * core cannot always keep a server busy, so what was served is held against the processor time that
 * it took: bytes for a second of one whole core.
 */
export async function measureSegments(world: PlayerBenchWorld): Promise<Figure[]> {
  const nginx = await startNginx(world.objects, world)
  try {
    const anchor = { name: 'nginx', server: nginx, rates: [] as number[] }
    const ours = { name: 'player', server: world.player, rates: [] as number[] }
    for (const { server } of [anchor, ours]) await run(world, server, WARM_UP_SECONDS)
    for (let round = 1; round <= ROUNDS; round += 1)
      for (const { name, server, rates } of [anchor, ours]) {
        const { bytesPerSecond, busy } = await run(world, server, ROUND_SECONDS)
        rates.push(bytesPerSecond / busy / 1e6)
        const share = `its core ${Math.round(busy * 100)} % busy`
        console.error(
          `  … segments, round ${round}, ${name}: ${Math.round(bytesPerSecond / 1e6)} MB/s, ${share}`,
        )
      }
    const against = { anchor: median(anchor.rates), least: 0.6 }
    return [atLeast('segments on one core', median(ours.rates), 'MB/s', against)]
  } finally {
    await nginx.stop()
  }
}

const run = ({ segments }: PlayerBenchWorld, server: ServerProcess, seconds: number) =>
  measureBytes(server, segments, { connections: CONNECTIONS, seconds })
