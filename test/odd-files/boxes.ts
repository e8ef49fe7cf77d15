/** The boxes from the file to the sample entry of its first track, with the bytes before their first child. */
const PATH = [
  ['moov', 0],
  ['trak', 0],
  ['mdia', 0],
  ['minf', 0],
  ['stbl', 0],
  ['stsd', 8],
  ['hvc1', 78],
] as const

/** Turns the picture of an MP4 of one track by an angle in degrees. */
export function turned(bytes: Buffer, degrees: number): Buffer {
  const edited = Buffer.from(bytes)
  // Behind the name: version and flags, times, id and length, reserved bytes, layer, group and volume.
  const matrix = edited.indexOf('tkhd') + 4 + 4 + 20 + 16
  const fixed = (value: number): number => Math.round(value * 65_536)
  const [cos, sin] = [Math.cos, Math.sin].map((of) => fixed(of((degrees * Math.PI) / 180)))
  for (const [index, value] of [cos, sin, 0, -(sin ?? 0), cos].entries())
    edited.writeInt32BE(value ?? 0, matrix + index * 4)
  return edited
}

/**
 * Marks an MP4 of one HEVC track, whose index is behind its media, as Dolby Vision of a profile. `baseLayer` says how
 * its pixels are understood without Dolby Vision: 0 not at all, 1 as HDR10.
 */
export function inDolbyVision(bytes: Buffer, profile: number, baseLayer: number): Buffer {
  const box = Buffer.alloc(32)
  box.writeUInt32BE(box.length, 0)
  box.write('dvcC', 4, 'latin1')
  box.writeUInt8(1, 8)
  // Seven bits of the profile, six of the level, one each for its data, for another layer, and for the base layer.
  box.writeUInt16BE((profile << 9) | (1 << 3) | 0b101, 10)
  box.writeUInt8(baseLayer << 4, 12)
  const edited = Buffer.from(bytes)
  let at = edited.lastIndexOf('moov') - 4
  let end = 0
  for (const [name, headBytes] of PATH) {
    at = edited.indexOf(name, at, 'latin1') - 4
    end = at + edited.readUInt32BE(at)
    edited.writeUInt32BE(end - at + box.length, at)
    at += 8 + headBytes
  }
  return Buffer.concat([edited.subarray(0, end), box, edited.subarray(end)])
}
