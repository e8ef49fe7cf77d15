/**
 * The same JSON value in other bytes: each text begins with an escape, whole numbers carry an exponent,
 * spaces stand where they may. Parsed it is equal; parsed and written again it is not these bytes.
 */
export const respell = (json: string): string => `${spell(JSON.parse(json))}\n`

function spell(value: unknown): string {
  if (typeof value === 'string') return spellText(value)
  if (typeof value === 'number') return `${value}e0`
  if (Array.isArray(value)) return `[ ${value.map(spell).join(', ')} ]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${spellText(key)}: ${spell(member)}`,
  )
  return `{ ${members.join(', ')} }`
}

function spellText(text: string): string {
  if (text === '') return '""'
  const escaped = `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `"${escaped}${JSON.stringify(text.slice(1)).slice(1, -1)}"`
}
