/** A field of a message. `value` is null for a number of a fixed length, which no message here needs. */
export interface Field {
  field: number
  value: number | Buffer | null
  /** The whole field, with its tag. */
  raw: Buffer
}

class Malformed extends Error {}

/** Reads the fields of a message, in their order (protobuf.dev, "Encoding"); null if it is malformed. */
export function readFields(message: Buffer): Field[] | null {
  try {
    return [...fieldsOf(message)]
  } catch (error) {
    if (error instanceof Malformed) return null
    throw error
  }
}

function* fieldsOf(data: Buffer): Generator<Field> {
  let at = 0
  const varint = (): number => {
    for (let value = 0, factor = 1; factor < 2 ** 70; factor *= 128) {
      const byte = data[at++]
      if (byte === undefined) throw new Malformed('a number is cut off')
      value += (byte % 128) * factor
      if (byte < 128) return value
    }
    throw new Malformed('a number is too long')
  }
  const bytes = (length: number): Buffer => {
    if (at + length > data.length) throw new Malformed('a field is cut off')
    return data.subarray(at, (at += length))
  }
  const valueOf = (type: number): Field['value'] => {
    if (type === 0) return varint()
    if (type === 2) return bytes(varint())
    if (type !== 1 && type !== 5) throw new Malformed('a field has an unknown type')
    bytes(type === 1 ? 8 : 4)
    return null
  }
  while (at < data.length) {
    const start = at
    const tag = varint()
    const value = valueOf(tag % 8)
    yield { field: Math.floor(tag / 8), value, raw: data.subarray(start, at) }
  }
}
