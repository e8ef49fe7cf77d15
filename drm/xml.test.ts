import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseXml } from './xml.ts'

const XML =
  '<a:r xmlns:a="urn:a" b="1" a:c="2"> t<![CDATA[<k>]]>&amp;&#65;<y xmlns="urn:y"/><!-- c --></a:r>'

describe('an XML document', () => {
  it('is read with its namespaces, attributes and text', () => {
    expect(parseXml(`\uFEFF<?xml version="1.0"?>${XML}`)).toEqual({
      name: 'r',
      namespace: 'urn:a',
      attributes: new Map([['b', '1']]),
      text: 't<k>&A',
      children: [{ name: 'y', namespace: 'urn:y', attributes: new Map(), text: '', children: [] }],
    })
  })

  it('is refused wherever it is cut off', () => {
    fc.assert(
      fc.property(fc.nat(XML.length - 1), (length) => {
        expect(() => parseXml(XML.slice(0, length))).toThrow('not well-formed')
      }),
      { numRuns: XML.length * 2 },
    )
  })

  it('of any text is read or refused, and the error quotes none of it', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      '&',
      ';',
      '"',
      '=',
      '!',
      '[',
      'k',
      ' ',
      '\0',
      '\uD800',
    )
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(texts, fc.nat(XML.length), (text, at) => {
        const secret = 'a-secret-text'
        try {
          parseXml(XML.slice(0, at) + text + secret + XML.slice(at))
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
          expect(String(error)).not.toContain(secret)
          expect(error).not.toHaveProperty('cause')
        }
      }),
    )
  })

  it.each([
    ['elements that do not match', '<a><b></a></b>', 'not well-formed'],
    ['two roots', '<a/><b/>', 'not well-formed'],
    ['one attribute twice', '<a x="1" x="2"/>', 'not well-formed'],
    ['an undeclared prefix', '<b:a/>', 'not well-formed'],
    ['an unknown entity', '<a>&e;</a>', 'not well-formed'],
    ['no element', '', 'not well-formed'],
    ['a document type', '<!DOCTYPE a><a/>', 'document type'],
    ['too many levels', '<a>'.repeat(60), 'too large'],
    ['too many elements', `<a>${'<b/>'.repeat(5000)}</a>`, 'too large'],
  ])('is refused with %s', (_title, xml, message) => {
    expect(() => parseXml(xml)).toThrow(message)
  })
})
