const bytes = (value: number, length: number): number[] =>
  Array.from({ length }, (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256)
const words = (...values: number[]): number[] => values.flatMap((value) => bytes(value, 2))

/** A segment of a PGS stream (Blu-ray), at a time in seconds. */
const segment = (seconds: number, type: number, data: number[]): number[] => {
  const times = [...bytes(seconds * 90_000, 4), ...bytes(0, 4)]
  return [0x50, 0x47, ...times, type, ...bytes(data.length, 2), ...data]
}

const [WIDTH, HEIGHT] = [32, 8]
/** Each line is one run of the second colour, and its end. */
const LINES = Array.from({ length: HEIGHT }, () => [0, 0x80 + WIDTH, 1, 0, 0]).flat()
const SCREEN = [...words(128, 72), 0x10]
const WINDOW = [1, 0, ...words(48, 56, WIDTH, HEIGHT)]
/** Nothing, and white. */
const COLOURS = [
  [0, 0],
  [0, 16, 128, 128, 0],
  [1, 235, 128, 128, 255],
].flat()
const OBJECT = [0, 0, 0, 0xc0, ...bytes(LINES.length + 4, 3), ...words(WIDTH, HEIGHT), ...LINES]

/** Returns subtitles in PGS: one white bar from 0.2 s to 1.5 s, on a screen of 128 × 72 pixels. */
export const pictureSubtitles = (): Buffer =>
  Buffer.from([
    ...segment(0.2, 0x16, [
      ...SCREEN,
      ...words(0),
      0x80,
      0,
      0,
      1,
      ...words(0),
      0,
      0,
      ...words(48, 56),
    ]),
    ...segment(0.2, 0x17, WINDOW),
    ...segment(0.2, 0x14, COLOURS),
    ...segment(0.2, 0x15, OBJECT),
    ...segment(0.2, 0x80, []),
    ...segment(1.5, 0x16, [...SCREEN, ...words(1), 0, 0, 0, 0]),
    ...segment(1.5, 0x17, WINDOW),
    ...segment(1.5, 0x80, []),
  ])
