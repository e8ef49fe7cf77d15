/** Writes the syntax elements of H.264 (ITU-T H.264, 7.2). */
function bitWriter() {
  const bits: number[] = []
  const u = (value: number, length: number): void => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push(Math.floor(value / 2 ** bit) % 2)
  }
  const ue = (value: number): void => {
    const length = Math.floor(Math.log2(value + 1))
    u(0, length)
    u(value + 1, length + 1)
  }
  const align = (): void => {
    while (bits.length % 8 > 0) bits.push(0)
  }
  const finish = (): number[] => {
    u(1, 1)
    align()
    return Array.from({ length: bits.length / 8 }, (_, index) =>
      bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0),
    )
  }
  return { u, ue, align, finish }
}

type Writer = ReturnType<typeof bitWriter>

const SIDE_MACROBLOCKS = 4

/** 64 × 64 pixels at 25 frames a second, in Main profile; pictures may be fields. */
function sequence({ u, ue }: Writer): void {
  for (const byte of [77, 0, 11]) u(byte, 8)
  for (const value of [0, 0, 2, 1]) ue(value)
  u(0, 1)
  for (const value of [SIDE_MACROBLOCKS - 1, SIDE_MACROBLOCKS / 2 - 1]) ue(value)
  // Fields, no frames that mix both, and the timing of the VUI.
  for (const flag of [0, 0, 1, 0, 1, 0, 0, 0, 0, 1]) u(flag, 1)
  u(1, 32)
  u(50, 32)
  for (const flag of [1, 0, 0, 0, 0]) u(flag, 1)
}

function pictureParameters({ u, ue }: Writer): void {
  for (const value of [0, 0]) ue(value)
  for (const flag of [0, 0]) u(flag, 1)
  for (const value of [0, 0, 0]) ue(value)
  u(0, 3)
  for (const value of [0, 0, 0]) ue(value)
  for (const flag of [1, 0, 0]) u(flag, 1)
}

/** One field of uncompressed macroblocks; the first field of each frame can be decoded by itself. */
const field =
  (frame: number, isBottom: boolean) =>
  ({ u, ue, align }: Writer): void => {
    for (const value of [0, 7, 0]) ue(value)
    u(0, 4)
    for (const flag of [1, Number(isBottom)]) u(flag, 1)
    if (!isBottom) ue(frame % 2)
    u(0, isBottom ? 1 : 2)
    for (const value of [0, 1]) ue(value)
    for (let block = 0; block < SIDE_MACROBLOCKS ** 2 / 2; block += 1) {
      ue(25)
      align()
      const luma = 40 + ((frame * 4 + block * 16 + Number(isBottom) * 8) % 160)
      for (let sample = 0; sample < 384; sample += 1) u(sample < 256 ? luma : 128, 8)
    }
  }

const [SEQUENCE, PARAMETERS, FIRST_FIELD, SECOND_FIELD] = [0x67, 0x68, 0x65, 0x61]

function unit(header: number, write: (writer: Writer) => void): number[] {
  const writer = bitWriter()
  write(writer)
  const bytes = [0, 0, 0, 1, header]
  let zeros = 0
  for (const byte of writer.finish()) {
    // Two zeros must not be followed by what looks like a start.
    if (zeros === 2 && byte <= 3) bytes.push(3)
    zeros = byte !== 0 ? 0 : zeros === 2 ? 1 : zeros + 1
    bytes.push(byte)
  }
  return bytes
}

/** Returns an H.264 stream of 64 × 64 pixels whose frames are coded as two fields each, which no encoder at hand makes. */
export function fieldCoded(frames: number): Buffer {
  const units = Array.from({ length: frames }, (_, frame) => [
    ...(frame === 0 ? [unit(SEQUENCE, sequence), unit(PARAMETERS, pictureParameters)] : []),
    unit(FIRST_FIELD, field(frame, false)),
    unit(SECOND_FIELD, field(frame, true)),
  ])
  return Buffer.from(units.flat(2))
}
