import { inputArguments, runFfmpeg } from '../ffmpeg.ts'
import { withoutFraction, type MediaWork } from '../run-tool.ts'

/** Prints a line for each frame with a pixel that is not opaque; ffmpeg's `less` includes equal. */
const OPACITY = 'lavfi.signalstats.YMIN'
const FILTER = `alphaextract,format=gray,signalstats,metadata=print:key=${OPACITY}:value=254:function=less`

/** True if a picture shows a transparent pixel anywhere. Decodes it to its end. */
export async function hasTransparentPixels(
  path: string,
  index: number,
  work: MediaWork,
): Promise<boolean> {
  let isTransparent = false
  const output = ['-map', `0:${index}`, '-vf', FILTER, '-f', 'null', '-']
  await runFfmpeg([...inputArguments(path), ...output], {
    ...withoutFraction(work),
    onLogLine: (line) => (isTransparent ||= line.includes(`] ${OPACITY}=`)),
  })
  return isTransparent
}
