import type { RequestListener } from 'node:http'
import type { Egress } from '../../egress/egress.ts'
import { inspectVideoSource } from '../../egress/inspect-video-source.ts'
import type { SourceFacts } from '../../egress/source-facts.ts'
import { startTestNetwork, type TestNetwork, type TestServer } from './test-network.ts'

/** What a test of video sources needs. */
export interface SourceNetwork {
  network: TestNetwork
  egress: Egress
  /** An https server for source.test and cdn.test, and a link to a film on it. */
  serve: (listener: RequestListener) => Promise<TestServer & { url: string }>
  /** Inspects a link, with a gigabyte of storage left unless told otherwise. */
  inspect: (url: string, availableBytes?: number) => Promise<SourceFacts>
}

/** Starts a network with the public names source.test and cdn.test and the private name private.test. */
export async function startSourceNetwork(): Promise<SourceNetwork> {
  const network = await startTestNetwork()
  for (const name of ['source.test', 'cdn.test']) network.dns.set(name, ['127.0.0.1'])
  network.dns.set('private.test', ['10.0.0.1'])
  const egress = network.egress()
  return {
    network,
    egress,
    serve: async (listener) => {
      const server = await network.serveHttps(['source.test', 'cdn.test'], listener)
      return { ...server, url: `https://source.test:${server.port}/lesson.mp4?token=secret` }
    },
    inspect: (url, availableBytes = 1e9) => inspectVideoSource(egress, url, { availableBytes }),
  }
}
