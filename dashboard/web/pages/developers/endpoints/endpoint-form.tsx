import { Button, Checkbox, Group, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  isSubscribable,
  type SubscribableEventType,
} from '../../../../../domain/webhooks/events.ts'
import { eventTypesQuery } from '../../../api/webhooks.ts'
import { FormDialog, type Saving } from '../../../parts/dialogs/form-dialog.tsx'
import type { FieldProps } from '../../../parts/forms/form-fields.ts'
import classes from '../developers.module.css'
import { useMeaning } from '../event-meaning.ts'
import { useDeveloperWords } from '../words.ts'

export interface EndpointFacts {
  url: string
  description: string
  events: SubscribableEventType[]
}

interface Props {
  account: string
  title: string
  submit: string
  form: UseFormReturnType<EndpointFacts>
  save: Saving<EndpointFacts>
  /** What another member has saved meanwhile, and whether a choice is still missing. */
  conflict?: ReactNode
  isUndecided?: boolean
  onClose: () => void
}

/** The form of an endpoint. A refused address is explained at its field; what was typed stays. */
export function EndpointForm({ account, conflict, isUndecided = false, ...dialog }: Props) {
  const { endpointForm: words } = useDeveloperWords()
  const { form } = dialog
  return (
    <FormDialog {...dialog} size="lg" isReady={form.values.events.length > 0 && !isUndecided}>
      {(field) => (
        <>
          {conflict}
          <TextInput
            {...field('url')}
            type="url"
            label={words.url}
            description={words.urlHint}
            placeholder="https://www.example.com/hooks/video"
            dir="ltr"
            required
            data-autofocus
          />
          <TextInput
            {...field('description')}
            label={words.description}
            description={words.descriptionHint}
            dir="auto"
          />
          <EventChoice account={account} form={form} field={field} />
        </>
      )}
    </FormDialog>
  )
}

interface ChoiceProps extends Pick<Props, 'account' | 'form'> {
  field: FieldProps<EndpointFacts>
}

/** The events that endpoints can subscribe to, with what they mean. */
function EventChoice({ account, form, field }: ChoiceProps) {
  const { endpointForm: words } = useDeveloperWords()
  const meaningOf = useMeaning()
  const { data = [] } = useQuery(eventTypesQuery(account))
  const types = data.filter(({ type }) => isSubscribable(type))
  const choose = (events: SubscribableEventType[]): void => form.setFieldValue('events', events)
  return (
    <Checkbox.Group {...field('events')} label={words.events}>
      <Group gap={4} my={6}>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => choose(types.map(({ type }) => type).filter(isSubscribable))}
        >
          {words.all}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => choose([])}>
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
