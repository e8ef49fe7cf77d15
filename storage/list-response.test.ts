import { describe, expect, it } from 'vitest'
import { parseObjectPage } from './list-response.ts'

const page = (inside: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>lessons</Name>${inside}</ListBucketResult>`
const object = (key: string, size = 7): string =>
  `\n  <Contents><Key>${key}</Key><ETag>&quot;5ec7&quot;</ETag><Size>${size}</Size><Owner><ID>Key</ID></Owner></Contents>`
const keysOf = (xml: string): string[] => parseObjectPage(xml).objects.map(({ key }) => key)

describe('a page of a list of objects', () => {
  it('has keys as they are, or encoded if the server says so, wherever it says it', () => {
    const plain = [' 100% + a&amp;b.mp4', '%41+b.mp4', '<![CDATA[c&d]]>', '007']
    expect(keysOf(page(`${plain.map((key) => object(key)).join('')}<EncodingType/>`))).toEqual([
      ' 100% + a&b.mp4',
      '%41+b.mp4',
      'c&d',
      '007',
    ])
    const encoded = page(
      `${object('a/100%25+%2B+%C3%A9%2541.mp4')}<EncodingType>url</EncodingType>`,
    )
    expect(keysOf(encoded)).toEqual(['a/100% + é%41.mp4'])
  })

  it('leads on to the next one, unless it is the last', () => {
    const token = '<NextContinuationToken>0123==</NextContinuationToken>'
    const xml = page(`<IsTruncated>true</IsTruncated>${token}${object('a', 12)}`)
    expect(parseObjectPage(xml)).toEqual({
      objects: [{ key: 'a', sizeBytes: 12 }],
      nextToken: '0123==',
    })
    expect(parseObjectPage(page('<IsTruncated>false</IsTruncated>'))).toEqual({
      objects: [],
      nextToken: null,
    })
    expect(() => parseObjectPage(page('<IsTruncated>true</IsTruncated>'))).toThrow('lead on')
  })

  it.each(['', 'text', '<html></html>', page('<Contents>'), '<Error><Code>X</Code></Error>'])(
    'is refused if it is another document: %s',
    (xml) => {
      expect(() => parseObjectPage(xml)).toThrow()
    },
  )
})
