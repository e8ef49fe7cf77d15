/** What ffmpeg states of one stream of its input when it ends. */
export interface StreamAccount {
  packetsRead: number
  framesDecoded: number
}

/** Of the first input. The line is ffmpeg's own: text of the file is never at the start of a line. */
const ACCOUNT =
  /^\[verbose\] +Input stream #0:(\d+) \(\w+\): (\d+) packets read \(\d+ bytes\); (\d+) frames decoded/
/** Such as `[mp4 @ 0x55d8ea7b5500] [error] `; the first part is the component, which messages of ffmpeg itself lack. */
const FAULT = /^((?:\[[^\]]* @ [^\]]*\] )*)\[(?:error|fatal|panic)\] (.*)$/

/**
 * Reads ffmpeg's log at the level `level+verbose`, which states what was read and decoded. `onLine` returns the lines
 * that the level `error` shows, without their level, and null for all others.
 */
export function readLog() {
  const streams = new Map<number, StreamAccount>()
  const onLine = (line: string): string | null => {
    const [, index, packetsRead, framesDecoded] = ACCOUNT.exec(line) ?? []
    if (index !== undefined)
      streams.set(Number(index), {
        packetsRead: Number(packetsRead),
        framesDecoded: Number(framesDecoded),
      })
    const [, component, message] = FAULT.exec(line) ?? []
    return message === undefined ? null : `${component}${message}`
  }
  return { streams, onLine }
}
