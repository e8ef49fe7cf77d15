import { useEffect, useMemo, useState } from 'react'
import classes from '../parts.module.css'
import { CopyButton } from './copy-button.tsx'
import type { CodeLanguage, CodeToken, tokensOf } from './highlight.ts'

interface Props {
  code: string
  /** What the code is, for screen readers. */
  label: string
  /** Absent for plain text. */
  language?: CodeLanguage
}

/** Code to copy, in the colours of its language; it is left-to-right in every language of the page. */
export function CodeSnippet({ code, label, language }: Props) {
  const tokens = useTokens(code, language)
  return (
    <div className={classes.code} dir="ltr">
      <pre>
        <code>
          {tokens?.map(({ type, value }, index) => (
            <span key={index} data-token={type}>
              {value}
            </span>
          )) ?? code}
        </code>
      </pre>
      <CopyButton text={code} label={label} />
    </div>
  )
}

type TokensOf = typeof tokensOf

let loaded: TokensOf | null = null

/** The tokens of some code; null until their module, which the first view does not need, is loaded. */
function useTokens(code: string, language: CodeLanguage | undefined): CodeToken[] | null {
  const [split, setSplit] = useState<TokensOf | null>(() => loaded)
  useEffect(() => {
    if (language === undefined || split !== null) return
    void loadTokensOf().then((found) => setSplit(() => found))
  }, [language, split])
  return useMemo(
    () => (split && language !== undefined ? split(code, language) : null),
    [split, code, language],
  )
}

/** Resolves to null if the module cannot be loaded: the code is then shown without colours. */
async function loadTokensOf(): Promise<TokensOf | null> {
  try {
    loaded = (await import('./highlight.ts')).tokensOf
  } catch {
    loaded = null
  }
  return loaded
}
