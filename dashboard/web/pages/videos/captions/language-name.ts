import { canonicalLanguage } from '../../../../../domain/language-tag.ts'

/** The name of a language in itself, such as `Deutsch`; the tag if the browser knows none. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

/** Returns the language of a file such as `lesson.pt-BR.vtt`; null if its name says none. */
export function languageOfFile(name: string): string | null {
  const [, tag = ''] = /[._-]([a-z]{2,3}(?:-[a-z0-9]{2,4})?)\.vtt$/i.exec(name) ?? []
  return canonicalLanguage(tag)
}
