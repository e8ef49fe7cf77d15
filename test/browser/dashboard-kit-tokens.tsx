// The tokens of `design/` by their names, as the page has them.
import { Code, SimpleGrid, Text } from '@mantine/core'
import { Section } from '../../dashboard/web/parts/section.tsx'

/** Names of the variables that the design gives to the whole page, in its order. */
function tokenNames(): string[] {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  const names = rules
    .filter((rule) => rule instanceof CSSStyleRule)
    .filter(({ selectorText }) => selectorText === ':root')
    .flatMap(({ style }) => [...style])
  return [...new Set(names)].filter((name) => /^--(?!mantine)/.test(name))
}

const valueOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name)

const named = (start: RegExp) => (name: string) => start.test(name)

/** Every token: colours as swatches, sizes of text and shapes as samples. */
export function Tokens({ sample }: { sample: string }) {
  const names = tokenNames()
  const isColour = (name: string): boolean => CSS.supports('color', valueOf(name).trim())
  return (
    <Section title="Tokens">
      <SimpleGrid cols={{ base: 2, sm: 4, md: 6 }} spacing="xs">
        {names.filter(isColour).map((name) => (
          <Swatch key={name} name={name} style={{ background: `var(${name})` }} />
        ))}
        {names.filter(named(/^--radius/)).map((name) => (
          <Swatch key={name} name={name} style={{ borderRadius: `var(${name})` }} />
        ))}
        {names.filter(named(/^--shadow/)).map((name) => (
          <Swatch key={name} name={name} style={{ boxShadow: `var(${name})` }} />
        ))}
        {names.filter(named(/^--space/)).map((name) => (
          <Swatch key={name} name={name} style={{ width: `var(${name})` }} />
        ))}
      </SimpleGrid>
      {names.filter(named(/^--text-\w+$/)).map((name) => (
        <Text key={name} fz={isColour(name) ? undefined : `var(${name})`}>
          {sample} 0123456789 <Code>{name}</Code>
        </Text>
      ))}
    </Section>
  )
}

interface SwatchProps {
  name: string
  style: React.CSSProperties
}

// The border says where a colour of the page ends.
const SWATCH = {
  height: '2rem',
  border: '1px solid var(--line-strong)',
  background: 'var(--surface)',
  forcedColorAdjust: 'none',
} as const

const Swatch = ({ name, style }: SwatchProps) => (
  <div>
    <div style={{ ...SWATCH, ...style }} />
    <Code>{name}</Code>
  </div>
)
