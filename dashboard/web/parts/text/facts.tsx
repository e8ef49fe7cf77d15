import type { ReactNode } from 'react'
import layout from '../layout.module.css'
import { CopyButton } from './copy-button.tsx'

/** Names and values, as `Fact`s. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className={layout.facts}>{children}</dl>
)

/** A fact that is not known is left out. */
export const Fact = ({ name, value }: { name: string; value: ReactNode }) =>
  Boolean(value) && (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )

/** A fact that copies with a click, such as an id. */
export const CopiedFact = ({ name, value }: { name: string; value: string }) => (
  <Fact
    name={name}
    value={
      <>
        <code dir="ltr">{value}</code>
        <CopyButton text={value} label={name} />
      </>
    }
  />
)
