import { inputArguments } from '../ffmpeg.ts'
import { runTool, type MediaWork } from '../run-tool.ts'

/** How ffprobe names the index of an MP4 or QuickTime file: its size, where its body begins, and the size of the file. */
const INDEX = /type:'moov' parent:'root' sz: (\d+) (\d+) (\d+)$/
const HEAD_BYTES = 8

/**
 * True if a file ends inside its index. ffprobe then finds some of its streams, none, or calls it invalid, depending on where
 * the end is.
 */
export async function isIndexCut(path: string, work: MediaWork): Promise<boolean> {
  let isCut = false
  await runTool('ffprobe', ['-v', 'trace', ...inputArguments(path)], {
    ...work,
    onStderrLine(line) {
      const [, size, bodyAt, fileSize] = INDEX.exec(line) ?? []
      isCut ||= Number(bodyAt) - HEAD_BYTES + Number(size) > Number(fileSize)
      return null
    },
  })
  return isCut
}
