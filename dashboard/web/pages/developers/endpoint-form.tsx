import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { isSubscribable } from '../../../../domain/webhooks/events.ts'
import type { SubscribableEventType } from '../../../../domain/webhooks/events.ts'
import { problemOf } from '../../api/problem.ts'
import { eventTypesQuery } from '../../api/webhooks.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { useWords } from '../../words/words.tsx'
import classes from './developers.module.css'
import { useMeaning } from './event-meaning.ts'
import { useDeveloperWords } from './words.ts'

export interface EndpointFacts {
  url: string
  description: string
  events: SubscribableEventType[]
}

interface Props {
  account: string
  title: string
  submit: string
  facts: EndpointFacts
  onChange: (facts: EndpointFacts) => void
  save: { mutate: (facts: EndpointFacts) => void; isPending: boolean; error: Error | null }
  /** What another member has saved meanwhile, and whether a choice is still missing. */
  conflict?: ReactNode
  isUndecided?: boolean
  onClose: () => void
}

const FIELDS: readonly (string | null)[] = ['url', 'description', 'events']

/** The form of an endpoint. A refused address is explained at its field; what was typed stays. */
export function EndpointForm({
  account,
  title,
  submit,
  facts,
  onChange,
  save,
  conflict,
  isUndecided = false,
  onClose,
}: Props) {
  const { parts } = useWords()
  const problem = save.error && problemOf(save.error)
  const errorAt = (field: string) => (problem?.field === field ? problem.message : undefined)
  const change = (changes: Partial<EndpointFacts>): void => onChange({ ...facts, ...changes })
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate(facts)
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <form onSubmit={onSubmit}>
        <Stack>
          {problem && !FIELDS.includes(problem.field) && <ErrorState error={problem} />}
          {conflict}
          <TextFields facts={facts} errorAt={errorAt} onChange={change} />
          <EventChoice
            account={account}
            chosen={facts.events}
            error={errorAt('events')}
            onChange={(events) => change({ events })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {parts.cancel}
            </Button>
            <Button
              type="submit"
              loading={save.isPending}
              disabled={facts.events.length === 0 || isUndecided}
            >
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

interface TextFieldsProps {
  facts: EndpointFacts
  errorAt: (field: string) => string | undefined
  onChange: (changes: Partial<EndpointFacts>) => void
}

function TextFields({ facts, errorAt, onChange }: TextFieldsProps) {
  const { endpointForm: words } = useDeveloperWords()
  return (
    <>
      <TextInput
        type="url"
        label={words.url}
        description={words.urlHint}
        placeholder="https://www.example.com/hooks/video"
        error={errorAt('url')}
        value={facts.url}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
        dir="ltr"
        required
        data-autofocus
      />
      <TextInput
        label={words.description}
        description={words.descriptionHint}
        error={errorAt('description')}
        value={facts.description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        dir="auto"
      />
    </>
  )
}

interface ChoiceProps {
  account: string
  chosen: SubscribableEventType[]
  error: string | undefined
  onChange: (events: SubscribableEventType[]) => void
}

/** The events that endpoints can subscribe to, with what they mean. */
function EventChoice({ account, chosen, error, onChange }: ChoiceProps) {
  const { endpointForm: words } = useDeveloperWords()
  const meaningOf = useMeaning()
  const { data = [] } = useQuery(eventTypesQuery(account))
  const types = data.filter(({ type }) => isSubscribable(type))
  const choose = (names: string[]): void => onChange(names.filter(isSubscribable))
  return (
    <Checkbox.Group label={words.events} value={chosen} onChange={choose} error={error}>
      <Group gap={4} my={6}>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => choose(types.map(({ type }) => type))}
        >
          {words.all}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onChange([])}>
          {words.none}
        </Button>
      </Group>
      <div className={classes.choices}>
        {types.map((type) => (
          <Checkbox
            key={type.type}
            value={type.type}
            label={
              <code dir="ltr" className={classes.mono}>
                {type.type}
              </code>
            }
            description={meaningOf(type)}
          />
        ))}
      </div>
    </Checkbox.Group>
  )
}
