import { Group, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import filterTabs from '../../parts/lists/filter-tabs.module.css'
import { CodeSnippet } from '../../parts/text/code-snippet.tsx'
import type { CodeLanguage } from '../../parts/text/highlight.ts'

interface Sample {
  /** Such as `curl`. */
  name: string
  code: string
  language: CodeLanguage
}

interface Props {
  /** What the samples do. */
  label: string
  samples: readonly Sample[]
}

/** The same sample in several languages, of which one is shown. */
export function SampleTabs({ label, samples }: Props) {
  const [chosen, setChosen] = useState(samples[0]?.name)
  const sample = samples.find(({ name }) => name === chosen)
  if (!sample) return null
  return (
    <div>
      <Group gap={4} mb={6}>
        {samples.map(({ name }) => (
          <UnstyledButton
            key={name}
            className={filterTabs.tab}
            data-chosen={name === chosen}
            aria-pressed={name === chosen}
            onClick={() => setChosen(name)}
          >
            {name}
          </UnstyledButton>
        ))}
      </Group>
      <CodeSnippet code={sample.code} label={label} language={sample.language} />
    </div>
  )
}
