import { ActionIcon, TextInput } from '@mantine/core'
import { useRef, useState, type KeyboardEvent } from 'react'
import { TAG_MAX_LENGTH } from '../../../../../domain/limits.ts'
import { distinctTags, typedTagKey } from '../../../../../domain/videos/own-data.ts'
import { IconX } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { useVideosWords } from '../words.ts'
import classes from './own.module.css'

interface Props {
  label: string
  description?: string
  tags: readonly string[]
  /** More cannot be typed. */
  max: number
  onChange: (tags: string[]) => void
  error?: unknown
}

/** Tags, and an input that adds what is typed: by Enter, by a comma, or when it is left. */
export function TagField({ label, description, tags, max, onChange, error }: Props) {
  const { own } = useVideosWords()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const add = (text: string): void => {
    const added = text.split(',').filter((one) => one.trim() !== '')
    setTyped('')
    if (added.length > 0) onChange(distinctTags([...tags, ...added], typedTagKey).slice(0, max))
  }
  const remove = (tag: string | undefined): void => {
    onChange(tags.filter((one) => one !== tag))
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    // Without a text, Enter saves the form.
    if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault()
      add(typed)
    }
    if (event.key === 'Backspace' && typed === '') remove(tags.at(-1))
  }
  return (
    <div className={classes.field}>
      <TextInput
        ref={input}
        label={label}
        description={description}
        placeholder={own.addTag}
        value={typed}
        readOnly={tags.length >= max}
        maxLength={TAG_MAX_LENGTH}
        autoComplete="off"
        dir="auto"
        error={typeof error === 'string' && error}
        onChange={({ currentTarget: { value } }) =>
          value.includes(',') ? add(value) : setTyped(value)
        }
        onKeyDown={onKeyDown}
        onBlur={() => add(typed)}
      />
      {tags.length > 0 && (
        <ul className={classes.tags} aria-label={label}>
          {tags.map((tag) => (
            <li key={tag} className={classes.tag}>
              <bdi>{tag}</bdi>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={interpolate(own.removeTag, { tag })}
                onClick={() => remove(tag)}
              >
                <IconX size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
