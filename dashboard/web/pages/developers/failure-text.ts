import { useDeveloperWords } from './words.ts'

/** Returns a function that says in plain words why an attempt failed; nothing for a code that it does not know. */
export function useFailureText(): (code: string) => string {
  const { failures } = useDeveloperWords()
  const texts = new Map<string, string>(Object.entries(failures))
  return (code) => texts.get(code) ?? ''
}
