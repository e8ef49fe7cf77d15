import { readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { damagedPercent } from '../../domain/encoding/damage.ts'
import { planVideo } from '../../test/fixtures/chunked-video.ts'
import { encodeVideo, H264, setUpMediaFixture, signal } from '../../test/fixtures/media-files.ts'
import { destroy, packetsOf } from '../../test/odd-files/bases.ts'
import { encodeChunk } from './encode-chunk.ts'

const t = setUpMediaFixture()

/** Frames; the second range lies over the seam of the first two chunks. */
const DESTROYED: [number, number][] = [
  [30, 40],
  [95, 110],
  [250, 254],
]
const VIDEO = ['-f', 'lavfi', '-i', 'testsrc2=s=128x72:r=25:d=12,noise=alls=20:allf=t']

it.each([
  ['one keyframe in the whole video', 'rare.mp4', '1000'],
  ['a keyframe in each second', 'often.mp4', '25'],
])(
  'the chunks of a damaged video count each lost frame once, with %s',
  async (_title, name, gop) => {
    const path = await t.make(name, ...VIDEO, ...H264, '-bf', '0', '-g', gop)
    const packets = await packetsOf(path, 'v')
    const lost = DESTROYED.flatMap(([from, to]) => packets.slice(from, to))
    let bytes = await readFile(path)
    for (const { pos, size } of lost) bytes = destroy(bytes, pos, pos + size)
    await writeFile(path, bytes)
    const { sourcePath, facts, chunks, rung } = await planVideo(path)
    const outputs = [{ rung, outputPath: `${path}.out.mp4` }]
    const video = await encodeVideo({ sourcePath, facts, outputs, signal })
    const parts = []
    for (const chunk of chunks)
      parts.push(await encodeChunk({ sourcePath, facts, chunk, isOnly: false, outputs, signal }))
    expect(parts).toHaveLength(3)
    expect(video.framesUndecodable).toBe(lost.length)
    expect(parts.map((part) => part.framesUndecodable)).toEqual([25, 0, 4])
    const decoded = parts.reduce((sum, { framesDecoded }) => sum + framesDecoded, 0)
    expect(decoded).toBe(video.framesDecoded)
    expect(damagedPercent(facts, parts)).toBe(damagedPercent(facts, [video]))
  },
)

it.each([
  ['FFV1', 'ffv1 -level 3 -slicecrc 1', 0.99, 10],
  ['Motion JPEG', 'mjpeg -pix_fmt yuvj422p', 0.5, 1],
  ['Theora', 'libtheora', 0.5, 1],
])(
  'damage that the decoder of %s states without a mark at its frame counts',
  async (name, codec, from, frames) => {
    const path = await t.make(`${name}.mkv`, ...VIDEO, '-t', '4', '-c:v', ...codec.split(' '))
    const packets = (await packetsOf(path, 'v')).slice(40, 50)
    let bytes = await readFile(path)
    for (const { pos, size } of packets) {
      const at = pos + Math.floor(size * from)
      bytes = destroy(bytes, at, Math.min(at + 40, pos + size - 8))
    }
    await writeFile(path, bytes)
    const { sourcePath, facts, rung } = await planVideo(path)
    const outputs = [{ rung, outputPath: `${path}.out.mp4` }]
    const video = await encodeVideo({ sourcePath, facts, outputs, signal })
    expect(damagedPercent(facts, [video])).toBe(frames)
  },
)
