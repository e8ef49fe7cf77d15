import { interpolate } from './interpolate.ts'

/** A text with `{number}` in each form that numbers have in a language (CLDR). `other` also stands for forms without a text. */
export type PluralText = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** Marks the forms of a text, which differ by language. */
export const plural = (forms: PluralText): PluralText => forms

/** Returns the form of `text` for a number. `shown` is the number as the page writes it. */
export function pluralText(
  text: PluralText,
  rules: Intl.PluralRules,
  value: number,
  shown: string,
): string {
  return interpolate(text[rules.select(value)] ?? text.other, { number: shown })
}
