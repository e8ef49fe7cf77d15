import { create } from 'xmlbuilder2'

/** One element of an XML document, without its prefix. */
export interface XmlElement {
  name: string
  attributes: Record<string, string>
  text: string
  /** From the root to its parent. */
  parents: XmlElement[]
}

/**
 * Returns every element of an XML document, outer ones first. Rejects document types, so no entity is
 * ever expanded. Throws an Error that quotes nothing of the document.
 */
export function xmlElements(xml: string): XmlElement[] {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw new Error('the XML document has a document type')
  const found: XmlElement[] = []
  const walk = (node: unknown, parents: XmlElement[]): void => {
    if (Array.isArray(node)) return node.forEach((one) => walk(one, parents))
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (key.startsWith('@')) continue
      // Holds text, and siblings of one name that do not follow each other.
      if (key === '#') {
        walk(value, parents)
        continue
      }
      for (const one of Array.isArray(value) ? value : [value]) {
        const element = elementOf(key, one, parents)
        found.push(element)
        walk(one, [...parents, element])
      }
    }
  }
  walk(parsed(xml), [])
  return found
}

/** Throws an error without a cause, because the parser's error quotes text of the document, such as a key. */
function parsed(xml: string): unknown {
  try {
    return create(xml).end({ format: 'object' })
  } catch {
    throw new Error('the document is not well-formed XML')
  }
}

function elementOf(key: string, value: unknown, parents: XmlElement[]): XmlElement {
  const isNode = typeof value === 'object' && value !== null
  const entries = isNode ? Object.entries(value) : []
  const attributes = entries.flatMap(([name, text]) =>
    name.startsWith('@') ? [[name.slice(1), String(text)] as const] : [],
  )
  const text = isNode ? entries.find(([name]) => name === '#')?.[1] : value
  return {
    name: key.slice(key.indexOf(':') + 1),
    attributes: Object.fromEntries(attributes),
    text: typeof text === 'string' ? text : '',
    parents,
  }
}
