import { isolateIn } from '../../../domain/isolate-text.ts'

/** Replaces `{name}` in a text by the value of that name, which cannot turn the text around it. */
export const interpolate = (
  text: string,
  values: Readonly<Record<string, string | number>>,
): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : isolateIn(text, String(value))
  })
