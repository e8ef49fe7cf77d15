import type { SecurityWords } from './locales/en.ts'

/** The type of a security event in plain words; a type that has none as it is. */
export function typeText(type: string, { types }: SecurityWords): string {
  const texts: Partial<Record<string, string>> = types
  return texts[type] ?? type
}
