import { SaxesParser } from 'saxes'

/** An object of a list, with its key in the clear. */
export interface NamedObject {
  key: string
  sizeBytes: number
}

/** A page of a list of objects (ListObjectsV2). */
export interface ObjectPage {
  objects: NamedObject[]
  /** What asks for the next page; null on the last one. */
  nextToken: string | null
}

const ROOT = 'ListBucketResult'

/**
 * Parses the response to a request for a list of objects. The parser of the client takes each key as encoded, but some servers do not encode keys, and say so
 * by leaving out `EncodingType`: a key with `+` or `%` would then be another one. Throws an Error for another document.
 */
export function parseObjectPage(xml: string): ObjectPage {
  const { objects, values } = readElements(xml)
  const isEncoded = values.get('EncodingType')?.toLowerCase() === 'url'
  const nextToken = values.get('NextContinuationToken') ?? ''
  const isTruncated = values.get('IsTruncated') === 'true'
  if (isTruncated && nextToken === '') throw new Error('a page of the list does not lead on')
  return {
    objects: objects.map((one) => ({
      key: isEncoded ? decodedKey(one.get('Key') ?? '') : (one.get('Key') ?? ''),
      sizeBytes: Number(one.get('Size') ?? 0),
    })),
    nextToken: isTruncated ? nextToken : null,
  }
}

/** In this encoding, a space is a `+`. */
const decodedKey = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/** Reads the values of the page, and of each object in it. */
function readElements(xml: string) {
  const parser = new SaxesParser()
  const path: string[] = []
  const values = new Map<string, string>()
  const objects: Map<string, string>[] = []
  let text = ''
  parser.on('error', () => {
    throw new Error('the list of objects is not well-formed XML')
  })
  parser.on('opentag', ({ name }) => {
    path.push(name)
    if (path.length === 2 && name === 'Contents') objects.push(new Map())
    text = ''
  })
  const append = (part: string): void => {
    text += part
  }
  parser.on('text', append)
  parser.on('cdata', append)
  parser.on('closetag', ({ name }) => {
    const [root, parent] = path
    if (path.length === 2) values.set(name, text)
    if (path.length === 3 && parent === 'Contents') objects.at(-1)?.set(name, text)
    if (root !== ROOT) throw new Error('the response is no list of objects')
    path.pop()
  })
  parser.write(xml.replace(/^\uFEFF/, '')).close()
  return { objects, values }
}
