import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encryptionScheme } from '../../../domain/accounts/plan.ts'
import { AUDIO_SEGMENT_SECONDS } from '../../../domain/encoding/chunks.ts'
import type { ContentKey } from '../../../drm/key-provider.ts'
import { initSegmentFault, signalledKey } from '../../../drm/signalling-fault.ts'
import { makeTestTrack } from '../../../media/encode/make-test-track.ts'
import { readEncryptionBoxes } from '../../../media/package/encryption-boxes.ts'
import {
  packageRendition,
  type PackagedRendition,
} from '../../../media/package/package-rendition.ts'
import { verifyRendition } from '../../../media/package/verify-rendition.ts'
import type { MediaWork } from '../../../media/run-tool.ts'
import { CheckFailure, passed, type Passed } from './finding.ts'

const VIDEO_DEADLINE_MS = 60_000

/**
 * Packages a video of two seconds with every key as an ingest does, decrypts it again, and compares its init
 * segments with the keys. Throws a CheckFailure, or the MediaError of a program.
 */
export async function packageVideo(keys: readonly ContentKey[]): Promise<Passed> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-doctor-'))
  const work: MediaWork = { signal: AbortSignal.timeout(VIDEO_DEADLINE_MS) }
  try {
    const sources = { video: join(folder, 'video.mp4'), audio: join(folder, 'audio.mp4') }
    for (const kind of ['video', 'audio'] as const)
      await makeTestTrack({ ...work, kind, outputPath: sources[kind] })
    for (const key of keys)
      for (const kind of kindsOf(key))
        await packageTrack(
          { key, kind, inputPath: sources[kind] },
          join(folder, kind + key.name),
          work,
        )
    const names = keys.map(({ name }) => name).join(', ')
    return passed(`${names}: packaged, decrypted and compared`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Track {
  key: ContentKey
  kind: 'video' | 'audio'
  inputPath: string
}

/** What a key encrypts: audio, pictures or both. */
const kindsOf = ({ trackTypes }: ContentKey): Track['kind'][] => [
  ...(trackTypes.includes('AUDIO') ? (['audio'] as const) : []),
  ...(trackTypes.some((type) => type !== 'AUDIO') ? (['video'] as const) : []),
]

async function packageTrack(track: Track, outputDir: string, work: MediaWork): Promise<void> {
  const { key, kind, inputPath } = track
  const keys = { keyIdHex: key.keyId.toString('hex'), keyHex: key.key.toString('hex') }
  await mkdir(outputDir)
  const packaged = await packageRendition({
    ...work,
    inputPath,
    kind,
    outputDir,
    firstSegment: 1,
    segmentSeconds: AUDIO_SEGMENT_SECONDS,
    name: kind,
    key: { ...keys, ivHex: key.ivHex },
    scheme: encryptionScheme('multi-drm'),
    trackType: kind === 'audio' ? 'AUDIO' : 'SD',
    language: null,
    label: null,
    pssh: key.systems.flatMap(({ psshBase64 }) => psshBase64 ?? []),
  })
  await verifyRendition({ ...work, packaged, encodedPath: inputPath, key: keys })
  await compareFile(track, packaged)
}

async function compareFile({ key, kind }: Track, { initPath }: PackagedRendition) {
  const boxes = readEncryptionBoxes(await readFile(initPath))
  const fault = initSegmentFault(signalledKey(key), kind, boxes)
  if (fault !== null)
    throw new CheckFailure(`${key.name}: ${fault}`, 'Send this line to the provider of the keys.')
}
