/** A box of an MP4 file (ISO/IEC 14496-12, section 4.2). */
export interface Box {
  type: string
  /** With its head. */
  whole: Buffer
  body: Buffer
}

/** The bytes are no MP4 boxes, or lack a field. */
export class Malformed extends Error {}

export const BOX_HEAD_BYTES = 8

/** Returns the boxes that fill these bytes, which they share. Throws `Malformed` if they do not end with the last one. */
export function boxesOf(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at < bytes.length;) {
    if (at + BOX_HEAD_BYTES > bytes.length) throw new Malformed('a box is cut off')
    const size = bytes.readUInt32BE(at)
    // Sizes of 64 bits and "to the end" have no place in an init segment or a fragment's head.
    if (size < BOX_HEAD_BYTES || at + size > bytes.length)
      throw new Malformed('a box has a wrong size')
    const whole = bytes.subarray(at, at + size)
    boxes.push({
      type: whole.toString('latin1', 4, 8),
      whole,
      body: whole.subarray(BOX_HEAD_BYTES),
    })
    at += size
  }
  return boxes
}

/** Returns the one box of a type; null if there is none or several. */
export function only(boxes: Box[], type: string): Box | null {
  const [box, other] = boxes.filter((one) => one.type === type)
  return box && !other ? box : null
}

/** Returns the one box of a type inside another one. */
export const inside = (box: Box | null, type: string): Box | null =>
  box && only(boxesOf(box.body), type)
