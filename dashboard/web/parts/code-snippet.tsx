import { CopyButton } from './copy-button.tsx'
import classes from './parts.module.css'

/** Code to copy; it is left-to-right in every language. */
export const CodeSnippet = ({ code, label }: { code: string; label: string }) => (
  <div className={classes.code} dir="ltr">
    <pre>
      <code>{code}</code>
    </pre>
    <CopyButton text={code} label={label} />
  </div>
)
