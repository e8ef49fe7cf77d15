/** The times of a cue of a WebVTT file, and its settings. */
export const TIMES = /^(\S+[ \t]+-->[ \t]+\S+)(.*)$/m

/** The height of a line of captions, in percent of the picture. */
export const LINE_HEIGHT = 6

/** Reads `name:value` settings, which white space separates: a name is sought from its start only, however long it is. */
export const readSettings = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/(?:^|\s)([a-z]+):(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )

/** Counts the lines of a cue's text, which follows its times. */
export const linesOf = (block: string): number =>
  block.slice(block.search(TIMES)).trim().split('\n').length - 1

/** Writes a share in percent, from 0 on. */
export const percentText = (value: number): string =>
  `${Math.round(Math.max(0, value) * 100) / 100}%`
