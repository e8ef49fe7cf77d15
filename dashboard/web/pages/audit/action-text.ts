import type { AuditWords } from './locales/en.ts'

/** An action such as `video.update` in words; as it is if a part of it has none. */
export function actionText(action: string, { nouns, verbs }: AuditWords): string {
  const [noun = '', verb = ''] = action.split('.')
  const [object, change] = [wordOf(nouns, noun), wordOf(verbs, verb)]
  return object === undefined || change === undefined ? action : `${object}: ${change}`
}

const wordOf = (words: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined
