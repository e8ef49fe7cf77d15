import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { processorSeconds } from '../cores.ts'
import { asInformation, pairsAsInformation, type Figure } from '../figure.ts'
import { followOne } from '../ingest/bench-ingest.ts'
import { childrenCpuSeconds } from '../ingest/cpu-time.ts'
import { openIngest, type IngestBench } from '../ingest/open-ingest.ts'
import { ensureSource } from '../make-source.ts'
import { pairUp } from '../pairs.ts'
import { encodeAsEncore } from './encore.ts'
import { encodeAsMediacms } from './mediacms.ts'
import { readOwnResult } from './own-result.ts'
import { SOURCE, type Encode } from './peer.ts'
import { encodeAsPeertube } from './peertube.ts'
import { readResult, similarityOf, type Result } from './result.ts'

/** Fewer than the pairs that decide a budget, because a round has four ways and these figures have no budget. */
const ROUNDS = 3
/** The heights that are compared with the source. */
const COMPARED = [720, 1080]

const PEERS: readonly { name: string; encode: Encode }[] = [
  { name: 'PeerTube', encode: encodeAsPeertube },
  { name: 'MediaCMS', encode: encodeAsMediacms },
  { name: 'SVT Encore', encode: encodeAsEncore },
]

/** One run of a way. */
interface Run {
  ms: number
  cpuSeconds: number
  result: Result
}

/** All runs of a way, and the SSIM of its first result: those of the others hardly differ from it. */
interface Measured {
  runs: Run[]
  ssimDb: Map<number, number>
}

type Way = (folder: string) => Promise<Run>

/**
 * Encodes the same source into the same resolutions by the commands of three peers, and by an ingest of ours, the anchor. Ours
 * is a whole ingest, with the download, the encryption, the verification, the storyboard and the posters; of the peers only
 * the commands run that make the files that viewers get, and what starts those commands costs nothing.
 */
export async function benchPeers(): Promise<Figure[]> {
  const cache = resolve('.cache', 'bench')
  await mkdir(cache, { recursive: true })
  const source = join(cache, `source-1080p-${SOURCE.seconds}s.mp4`)
  await ensureSource(source, SOURCE)
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-peers-'))
  try {
    const service = await openIngest(join(folder, 'service'), source)
    try {
      const theirs = PEERS.map(({ encode }) => peerWay(encode, source))
      const [ours, ...peers] = await runRounds([ownWay(service), ...theirs], source, folder)
      return peers.flatMap((peer, index) => figuresOf(PEERS[index]?.name ?? '', peer, ours))
    } finally {
      await service.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs all ways in turns, in each second round from last to first. */
async function runRounds(ways: readonly Way[], source: string, folder: string) {
  const all = ways.map((way): Measured & { way: Way } => ({ way, runs: [], ssimDb: new Map() }))
  for (let round = 0; round < ROUNDS; round += 1)
    for (const one of round % 2 === 0 ? all : all.toReversed()) {
      const output = await mkdtemp(join(folder, 'output-'))
      const run = await one.way(output)
      one.runs.push(run)
      if (round === 0) one.ssimDb = await similarityOf(source, run.result, COMPARED)
      await rm(output, { recursive: true })
    }
  return all
}

const peerWay =
  (encode: Encode, source: string): Way =>
  async (folder) => {
    const before = childrenCpuSeconds(process.pid)
    const startedAt = performance.now()
    const files = await encode(source, folder)
    const ms = performance.now() - startedAt
    const cpuSeconds = childrenCpuSeconds(process.pid) - before
    return { ms, cpuSeconds, result: await readResult(folder, files) }
  }

/** Counts the processor time of the worker too: it downloads, encrypts and verifies. */
const ownWay =
  ({ running, longUrl }: IngestBench): Way =>
  async (folder) => {
    const worker = await running.findChild(/worker\.ts/)
    if (worker === null) throw new Error('the service has no worker')
    const before = processorSeconds(worker)
    const ingest = await followOne(running, longUrl)
    const cpuSeconds = ingest.cpuSeconds + processorSeconds(worker) - before
    const result = await readOwnResult(running, ingest.videoId, folder)
    return { ms: ingest.readyMs, cpuSeconds, result }
  }

function figuresOf(name: string, theirs: Measured, ours: Measured | undefined): Figure[] {
  if (!ours) throw new Error('nothing to compare with')
  const compare = (figure: string, of: (run: Run) => number, unit: string): Figure => {
    const pairs = pairUp(theirs.runs.map(of), ours.runs.map(of))
    return pairsAsInformation(`${name}'s commands: ${figure}`, pairs, unit)
  }
  const bytesOf = ({ result }: Run, height: number): number =>
    result.files.get(height)?.bytes ?? Number.NaN
  return [
    compare('time', ({ ms }) => ms / 1000, 's'),
    compare('processor time', ({ cpuSeconds }) => cpuSeconds, 's'),
    compare('bytes of all files', ({ result }) => result.bytes / 1e6, 'MB'),
    ...COMPARED.flatMap((height) => [
      compare(`bytes of ${height}p with audio`, (run) => bytesOf(run, height) / 1e6, 'MB'),
      asInformation(
        `${name}'s commands: SSIM of ${height}p`,
        theirs.ssimDb.get(height) ?? Number.NaN,
        'dB',
        { anchor: ours.ssimDb.get(height) ?? Number.NaN },
      ),
    ]),
  ]
}
