import { SaxesParser } from 'saxes'

/** One element of an XML document. */
export interface XmlElement {
  /** Without its prefix. */
  name: string
  /** The address of its namespace; empty if it has none. */
  namespace: string
  /** Attributes without a namespace, by their names. */
  attributes: ReadonlyMap<string, string>
  /** Its own text, without that of its children, trimmed. */
  text: string
  children: XmlElement[]
}

/** No document of a key server has so many elements or levels; the limits are for hostile ones. */
const ELEMENTS_MAX = 5000
const DEPTH_MAX = 50

/**
 * Parses an XML document with namespaces and returns its root. Rejects everything that is not well-formed, and
 * document types, so no entity is ever expanded. Throws an Error that quotes nothing of the document, because it
 * may contain keys.
 */
export function parseXml(xml: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true })
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  let elements = 0
  let problem: string | undefined
  const refuse = (text: string): never => {
    problem ??= text
    throw new Error(text)
  }
  parser.on('error', () => refuse('the document is not well-formed XML'))
  parser.on('doctype', () => refuse('the XML document has a document type'))
  parser.on('opentag', ({ local, uri, attributes }) => {
    elements += 1
    if (elements > ELEMENTS_MAX || open.length > DEPTH_MAX) refuse('the XML document is too large')
    const plain = Object.values(attributes).filter((one) => one.uri === '')
    const element: XmlElement = {
      name: local,
      namespace: uri,
      attributes: new Map(plain.map((one) => [one.local, one.value])),
      text: '',
      children: [],
    }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  const append = (text: string): void => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  parser.on('text', append)
  parser.on('cdata', append)
  parser.on('closetag', () => {
    const element = open.pop()
    if (element) element.text = element.text.trim()
  })
  try {
    parser.write(xml.replace(/^\uFEFF/, '')).close()
  } catch {
    // Not the parser's error, which quotes the document.
    throw new Error(problem ?? 'the document is not well-formed XML')
  }
  if (!root) throw new Error('the document is not well-formed XML')
  return root
}

/** The children of an element with this name. */
export const childrenOf = (
  { children }: XmlElement,
  namespace: string,
  name: string,
): XmlElement[] => children.filter((one) => one.name === name && one.namespace === namespace)

/** The elements at the end of a path of names of one namespace. */
export const elementsAt = (from: XmlElement, namespace: string, ...path: string[]): XmlElement[] =>
  path.reduce(
    (found: XmlElement[], name) => found.flatMap((one) => childrenOf(one, namespace, name)),
    [from],
  )
