/** The times of a cue of a WebVTT file, and its settings. */
export const TIMES = /^(\S+[ \t]+-->[ \t]+\S+)(.*)$/m

/** The height of a line of captions, in percent of the picture. */
export const LINE_HEIGHT = 6

/** Reads `name:value` settings, which white space separates. Others are left out. */
export function readSettings(text: string): Map<string, string> {
  const settings = text.split(/\s+/).map((setting) => /^([a-z]+):(.+)/.exec(setting) ?? [])
  return new Map(settings.flatMap(([, name, value]) => (name && value ? [[name, value]] : [])))
}

/** Counts the lines of a cue's text, which follows its times. */
export const linesOf = (block: string): number =>
  block.slice(block.search(TIMES)).trim().split('\n').length - 1

/** Writes a share in percent, from 0 on. */
export const percentText = (value: number): string =>
  `${Math.round(Math.max(0, value) * 100) / 100}%`
